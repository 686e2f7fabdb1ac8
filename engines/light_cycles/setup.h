#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"

namespace engines::light_cycles {

struct Cell {
    int x = 0;
    int y = 0;
    bool operator==(const Cell&) const = default;
};

inline constexpr int width_default = 170;
inline constexpr int height_default = 170;
inline constexpr int side_max = 1000;
inline constexpr int teams_default = 4;
inline constexpr int teams_min = 2;
inline constexpr int teams_max = static_cast<int>(seats_max);
inline constexpr int cycles_per_team_default = 3;
inline constexpr int cycles_per_team_max = 100;
inline constexpr std::int64_t mean_budget_us_default = 50'000;

struct Setup {
    int width = width_default;
    int height = height_default;
    int teams = teams_default;
    int cycles_per_team = cycles_per_team_default;
    std::int64_t mean_budget_us = mean_budget_us_default;
    std::int64_t grace_turns = 0;
    std::vector<Cell> starts;  // one for each cycle, team by team

    std::size_t cycles() const {
        return static_cast<std::size_t>(teams) * static_cast<std::size_t>(cycles_per_team);
    }
};

// Params as a game's page has them; absent ones get their defaults.
base::Result<Setup, SetupError> read_setup(protocol::json::View params);
std::string setup_text(const Setup& setup);

// The usual grid for so many teams: for up to four the usual starts of the first teams, for more
// all cycles at equal distances along the edge. Requires: teams_min to teams_max.
Setup setup_for(int teams);

}  // namespace engines::light_cycles
