#include "referee/games/clock/way_loss.h"

#include <algorithm>

namespace referee::clock {

std::optional<WayLoss> way_loss(const ClockConfig& clock, const Allowance& allowance) {
    if (clock.kind != ClockKind::turn || clock.measure != Measure::wall) return std::nullopt;
    auto allowed = clock.allowance ? clock.allowance_max : Duration::zero();
    if (allowance.by != AllowedBy::nothing) allowed = std::min(allowed, allowance.bound);
    allowed = std::min(allowed, allowance.round_trip);
    const auto lost = allowance.round_trip - allowed;
    if (lost <= std::chrono::duration_cast<Duration>(way_share_max * clock.budget))
        return std::nullopt;
    return WayLoss{allowed, lost};
}

}  // namespace referee::clock
