#include "referee/game/clock/way_loss.h"

#include <algorithm>

namespace referee::clock {

std::optional<WayLoss> way_loss(const ClockConfig& clock, const Allowance& allowance) {
    if (clock.kind == ClockKind::none || clock.measure != Measure::wall) return std::nullopt;
    auto allowed = clock.allowance ? clock.allowance_max : Duration::zero();
    if (allowance.by != AllowedBy::nothing) allowed = std::min(allowed, allowance.bound);
    allowed = std::min(allowed, allowance.round_trip);
    const auto lost = allowance.round_trip - allowed;
    const int turns = clock.kind == ClockKind::game ? game_turns_assumed : 1;
    const auto budget = clock.budget + turns * clock.increment;
    const auto fair = std::chrono::duration_cast<Duration>(turns * lost / way_share_max) -
                      turns * clock.increment;
    const auto share_max = std::chrono::duration_cast<Duration>(way_share_max * budget);
    if (turns * lost <= share_max) return std::nullopt;
    return WayLoss{allowed, lost, turns, budget, fair};
}

std::string how_to_allow_more(const ClockConfig& clock, const Allowance& allowance) {
    const auto range = "its range of addresses" +
                       (allowance.range.empty() ? "" : " (" + std::string(allowance.range) + ")");
    const std::string by_clock = "a higher \"allowance_max\" of the clock";
    if (!clock.allowance) return "\"network_allowance\": true in the clock";
    if (allowance.by == AllowedBy::nothing || clock.allowance_max < allowance.bound)
        return by_clock;
    if (allowance.by == AllowedBy::peers)
        return "\"peers\": false for " + range +
               " in \"network\", if its neighbours by address are not near it";
    const bool both = clock.allowance_max == allowance.bound;
    return (both ? by_clock + " and a" : std::string("a")) + " higher cap for " + range +
           " in \"network\"";
}

}  // namespace referee::clock
