#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/split_mix.h"
#include "protocol/base/text.h"
#include "protocol/base/utf8.h"
#include "tests/json.h"

// Drives an engine by JSON texts, for tests: no clock, no network, no bots.

namespace tests {

using Random = base::SplitMix;

// The game with these params, or the test's failure and null.
std::unique_ptr<engines::State> start(const engines::Game& game, std::string_view params,
                                      std::uint32_t seed = 1);
// Whether the game starts with these params.
base::Result<void, engines::SetupError> accepts(const engines::Game& game, std::string_view params,
                                                std::uint32_t seed = 1);
// Each text is refused as params, for the reason that its row tells (tests/mistake_rows.h).
void expect_refused(const engines::Game& game, const std::string& table);
std::string full_params(const engines::Game& game, std::string_view params);

// Plays one turn: a JSON text for each seat ("null" for none), and what each is charged (nothing:
// all 0). Gives what the engine noted.
std::vector<engines::Note> play(engines::State& state, const std::vector<std::string>& moves,
                                const std::vector<std::int64_t>& used_us = {});
engines::CheckResult check(const engines::State& state, engines::Seat seat, std::string_view move);

std::string state_text(const engines::State& state);
nlohmann::json state_json(const engines::State& state);
// What the last turn changed, as the game itself tells it; null where it leaves that to be
// computed.
nlohmann::json delta_json(const engines::State& state);
nlohmann::json outcome_json(const engines::State& state);
// The notes' codes, in order.
std::vector<std::string> codes(const std::vector<engines::Note>& notes);

// Of the names and texts of all maps, in their order (FNV-1a): it changes with each of them.
std::uint64_t checksum_of(const engines::MapCollection& maps);

std::string read_file(const std::string& path);

// The columns that the widest line of a text takes.
inline std::size_t widest_line(std::string_view text) {
    std::size_t widest = 0;
    while (!text.empty()) widest = std::max(widest, base::columns_of(base::next_line(text)));
    return widest;
}

}  // namespace tests
