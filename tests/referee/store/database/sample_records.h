#pragma once

#include <string>
#include <vector>

#include "referee/store/database/store.h"
#include "referee/store/records/record_line.h"

namespace referee::store {

// A play of a game with faults, evidence and a replay of about `replay_lines` lines.
journal::GameRecord sample_game(std::uint64_t match, std::uint32_t attempt = 1,
                                int replay_lines = 20);
// One record of each kind and of each special case; no two of them have the same key.
std::vector<journal::Record> sample_records();
// A record without a key that tells which one it is.
journal::Record numbered(int number);

std::string line_of(const journal::Record& record);
std::vector<std::string> lines_of(const std::vector<journal::Record>& records);
// As history() tells them: games are without replays.
std::vector<std::string> lines_without_replays(std::vector<journal::Record> records);

}  // namespace referee::store
