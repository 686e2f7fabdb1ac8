#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/clock_kind.h"
#include "referee/game/clock/time.h"

namespace referee::clock {

using base::ClockKind;
using base::Measure;
using base::name_of;

// A bot that sleeps uses no processor time. So under processor time a turn also ends after this
// many budgets of wall time, but never before wall_backstop_min.
inline constexpr int wall_backstop_budgets = 20;
inline constexpr Duration wall_backstop_min = std::chrono::seconds(1);
constexpr Duration wall_backstop(Duration budget) {
    return std::max<Duration>(budget * wall_backstop_budgets, wall_backstop_min);
}
// The network allowance is never more than this: nobody plays from further away.
inline constexpr Duration allowance_max_default = std::chrono::milliseconds(250);
// Of the jitter of a way no more is believed than this share of a turn's limit: a bot can make it.
inline constexpr int jitter_divisor = 10;
// A stall of the referee below this share of the budget, or below the floor, is noise.
inline constexpr double stall_share = 0.05;
inline constexpr Duration stall_floor = std::chrono::milliseconds(2);
// What is charged near the limit: from this share on, what could be taken off besides is told.
inline constexpr double near_limit_share = 0.9;
// Without a budget a turn ends after this: a bot that never answers must not stop a tournament.
inline constexpr Duration hard_limit_default = std::chrono::seconds(60);
// E7's rule: a bot whose lateness beyond the budget, summed over the game, reaches this is hung.
inline constexpr Duration hung_after_default = std::chrono::seconds(60);

// How time is kept in a game: pure data, the same for all seats.
struct ClockConfig {
    ClockKind kind = ClockKind::turn;
    Measure measure = Measure::wall;
    // For a turn under `turn`, for the whole game under `game`. Under `none` it is what the bots
    // are told (a rule of the game may look at it); zero where there is nothing to tell.
    Duration budget{};
    Duration increment{};         // `game`: added after each turn
    Duration hard_limit{};        // wall time after which a turn is over whatever the kind
    bool waits_for_late = false;  // `turn`: the next turn waits for the late answer
    Duration hung_after = hung_after_default;  // with waits_for_late: summed lateness, then hung
    bool allowance = true;                     // take the network's round trip off
    Duration allowance_max = allowance_max_default;
    std::optional<Duration> jitter_max{};  // in place of the share of a turn's limit

    bool operator==(const ClockConfig&) const = default;
};

// How a result names a clock: "turn" or "game" by what its budget is for; where there is no budget,
// by what it measures, "cpu" or "wall".
std::string_view name_in_results(const ClockConfig& config);

// The clock that a game's page names, completed.
ClockConfig default_clock(const engines::GameInfo& game);
// Fills in a hard limit where none was given.
ClockConfig completed(ClockConfig config);
// What makes no sense, one sentence each, naming the member; empty for a good config.
std::vector<std::string> mistakes(const ClockConfig& config);

}  // namespace referee::clock
