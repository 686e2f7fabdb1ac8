#include "referee/games/clock/seat_clock.h"

#include <algorithm>

namespace referee::clock {

Duration stall_threshold(Duration budget) {
    const auto share = std::chrono::duration_cast<Duration>(stall_share * budget);
    return std::max<Duration>(share, stall_floor);
}

SeatClock::SeatClock(const ClockConfig& config)
    : config_(completed(config)), remaining_(config.budget) {}

Duration SeatClock::budget() const {
    switch (config_.kind) {
        case ClockKind::turn:
            return config_.budget;
        case ClockKind::game:
            return std::max(remaining_, Duration::zero());
        case ClockKind::none:
            return config_.budget;
    }
    return config_.budget;
}

Duration SeatClock::allowance(Duration round_trip) const {
    return config_.allowance ? std::min(round_trip, config_.allowance_max) : Duration::zero();
}

Duration SeatClock::wait_limit(Path path) const {
    auto limit = config_.hard_limit;
    if (config_.measure == Measure::wall && config_.kind != ClockKind::none) {
        limit = std::min(limit, budget());
    }
    return limit + std::min(allowance(path.most), limit);
}

Duration SeatClock::hung_limit(Path path) const {
    return wait_limit(path) + std::max(config_.hung_after - lateness_, Duration::zero());
}

Duration SeatClock::grace(Duration stalled) const {
    const auto limit = budget();
    const bool counts =
        stalled > stall_threshold(limit > Duration::zero() ? limit : config_.hard_limit);
    return counts ? 2 * stalled : Duration::zero();
}

Charge SeatClock::answered(const Spent& spent) {
    return book(spent, true);
}

Charge SeatClock::expired(const Spent& spent) {
    return book(spent, false);
}

Duration SeatClock::allowance(const Spent& spent) const {
    if (!config_.allowance || config_.measure == Measure::cpu) return Duration::zero();
    auto allowed = std::min(allowance(spent.path.least), spent.wall);
    if (config_.kind != ClockKind::none) allowed = std::min(allowed, budget());
    return std::max(allowed, Duration::zero());
}

SeatClock::Verdict SeatClock::verdict(const Spent& spent, Duration excused, bool answered) const {
    Verdict verdict;
    const auto limit = budget();
    const auto wall = std::max(spent.wall - excused, Duration::zero());
    verdict.charged = by_cpu(spent)
                          ? *spent.cpu
                          : std::max(spent.wall - allowance(spent) - excused, Duration::zero());
    // The same limit as in wait_limit(), so that an answer after it is late, whether the answer or
    // the deadline is looked at first.
    verdict.over_hard =
        wall - (config_.hard_limit + std::min(allowance(spent.path.least), config_.hard_limit));
    verdict.over_budget = verdict.charged - limit;
    // An answer exactly at the limit is in time; without an answer the time is used up there.
    const auto over = [answered](Duration by) {
        return answered ? by > Duration::zero() : by >= Duration::zero();
    };
    verdict.budget = config_.kind != ClockKind::none && over(verdict.over_budget);
    verdict.hard = over(verdict.over_hard);
    return verdict;
}

Charge SeatClock::book(const Spent& spent, bool answered) {
    const bool stalled = grace(spent.stalled) > Duration::zero();
    const auto excused = stalled ? spent.stalled : Duration::zero();
    const auto seen = verdict(spent, excused, answered);
    // The verdict as if the stall had cost the bot twice its length: what is still late then is the
    // bot's own doing.
    const auto certain = verdict(spent, 2 * excused, answered);
    Charge charge;
    charge.allowed = by_cpu(spent) ? Duration::zero() : allowance(spent);
    charge.charged = seen.charged;
    charge.corrected = verdict(spent, Duration::zero(), answered).charged - seen.charged;
    charge.hard = seen.hard && !seen.budget;
    charge.late = !answered || seen.over();
    if (config_.kind == ClockKind::game) {
        charge.flag = seen.budget;
        charge.late = !answered || seen.hard;
        remaining_ += config_.increment - charge.charged;
    } else if (config_.waits_for_late && seen.over()) {
        lateness_ += std::max({certain.over_budget, certain.over_hard, Duration::zero()});
        charge.lateness = lateness_;
        charge.hung = lateness_ >= config_.hung_after;
    }
    charge.suspect = stalled && (charge.late || charge.flag) && !certain.over();
    used_ += charge.charged;
    return charge;
}

}  // namespace referee::clock
