#pragma once

#include <string>
#include <vector>

#include "referee/store/records/record_line.h"
#include "referee/store/store.h"

namespace referee::store {

// A play of a game with faults, evidence and a replay of about `replay_lines` lines.
records::GameRecord sample_game(std::uint64_t match, std::uint32_t attempt = 1,
                                int replay_lines = 20);
// One record of each kind and of each special case; no two of them have the same key.
std::vector<records::Record> sample_records();
// A record without a key that tells which one it is.
records::Record numbered(int number);

std::string line_of(const records::Record& record);
std::vector<std::string> lines_of(const std::vector<records::Record>& records);
// As history() tells them: games are without replays.
std::vector<std::string> lines_without_replays(std::vector<records::Record> records);

}  // namespace referee::store
