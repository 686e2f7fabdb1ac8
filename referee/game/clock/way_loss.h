#pragma once

#include <optional>
#include <string>

#include "referee/game/clock/allowances.h"
#include "referee/game/clock/clock_config.h"

namespace referee::clock {

// What a budget loses to a way that is longer than what is allowed for it.
struct WayLoss {
    Duration allowed{};      // of the round trip
    Duration lost{};         // each turn
    int turns = 1;           // that the budget is for: of a game's clock game_turns_assumed
    Duration budget{};       // for them all, increments included
    Duration fair_budget{};  // with which no more than way_share_max would be lost
};
// How long a game is thought to be: that of most games here is somewhere near.
inline constexpr int game_turns_assumed = 100;

// Nothing where the clock has no budget of wall time, or no more than way_share_max of it is lost.
std::optional<WayLoss> way_loss(const ClockConfig& clock, const Allowance& allowance);

// How to have more allowed: by whatever allows least now.
std::string how_to_allow_more(const ClockConfig& clock, const Allowance& allowance);

}  // namespace referee::clock
