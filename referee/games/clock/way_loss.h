#pragma once

#include <optional>

#include "referee/games/clock/allowances.h"
#include "referee/games/clock/clock_config.h"

namespace referee::clock {

// What a turn's budget loses to a way that is longer than what is allowed for it.
struct WayLoss {
    Duration allowed{};  // of the round trip
    Duration lost{};     // each turn
};

// Nothing where that is no more than way_share_max of the budget, or where the clock has no budget
// of wall time for a turn.
std::optional<WayLoss> way_loss(const ClockConfig& clock, const Allowance& allowance);

}  // namespace referee::clock
