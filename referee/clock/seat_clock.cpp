#include "referee/clock/seat_clock.h"

#include <algorithm>

namespace referee::clock {

Duration stall_threshold(Duration budget) {
    const auto share = std::chrono::duration_cast<Duration>(stall_share * budget);
    return std::max<Duration>(share, stall_floor);
}

SeatClock::SeatClock(const ClockConfig& config) : config_(completed(config)), remaining_(config.budget) {}

Duration SeatClock::budget() const {
    switch (config_.kind) {
        case ClockKind::turn: return config_.budget;
        case ClockKind::game: return std::max(remaining_, Duration::zero());
        case ClockKind::none: return config_.budget;
    }
    return config_.budget;
}

Duration SeatClock::path(Duration round_trip) const {
    return config_.allowance ? std::min(round_trip, config_.allowance_max) : Duration::zero();
}

Duration SeatClock::wait_limit(Duration round_trip) const {
    auto limit = config_.hard_limit;
    if (config_.measure == Measure::wall && config_.kind != ClockKind::none) {
        limit = std::min(limit, budget());
    }
    return limit + std::min(path(round_trip), limit);
}

Duration SeatClock::hung_limit(Duration round_trip) const {
    return wait_limit(round_trip) + std::max(config_.hung_after - lateness_, Duration::zero());
}

Charge SeatClock::answered(const Spent& spent) { return book(spent, true); }

Charge SeatClock::expired(const Spent& spent) { return book(spent, false); }

Duration SeatClock::allowance(const Spent& spent) const {
    if (!config_.allowance || config_.measure == Measure::cpu) return Duration::zero();
    auto allowed = std::min(path(spent.round_trip), spent.wall);
    if (config_.kind != ClockKind::none) allowed = std::min(allowed, budget());
    return std::max(allowed, Duration::zero());
}

Charge SeatClock::book(const Spent& spent, bool answered) {
    Charge charge;
    const bool by_cpu = config_.measure == Measure::cpu && spent.cpu.has_value();
    const auto limit = budget();
    charge.allowed = by_cpu ? Duration::zero() : allowance(spent);
    const auto before_correction = std::max((by_cpu ? *spent.cpu : spent.wall) - charge.allowed, Duration::zero());
    charge.charged = before_correction;
    const bool stalled = spent.stalled > stall_threshold(limit > Duration::zero() ? limit : config_.hard_limit);
    if (stalled && !by_cpu) {
        charge.corrected = std::min(spent.stalled, charge.charged);
        charge.charged -= charge.corrected;
    }
    const bool no_answer = !answered;
    // As in wait_limit(): what comes after it is too late, whoever looks first.
    const auto hard_limit = config_.hard_limit + std::min(path(spent.round_trip), config_.hard_limit);
    const auto over_hard = [&](Duration wall) { return wall > hard_limit; };
    // Time that was used to the last without an answer is used up.
    const auto over_budget = [&](Duration charged) {
        return config_.kind != ClockKind::none && (charged > limit || (no_answer && charged == limit));
    };
    const bool over = over_budget(charge.charged) || over_hard(spent.wall - charge.corrected);
    const bool over_uncorrected = over_budget(before_correction) || over_hard(spent.wall);
    if (config_.kind == ClockKind::game) {
        charge.flag = over_budget(charge.charged);
        charge.late = no_answer || over_hard(spent.wall - charge.corrected);
        remaining_ += config_.increment - charge.charged;
    } else {
        charge.late = no_answer || over;
        if (config_.waits_for_late && over) {
            lateness_ += std::max(charge.charged - limit, Duration::zero());
            charge.hung = lateness_ >= config_.hung_after;
        }
    }
    charge.suspect = stalled && (no_answer || over_uncorrected) && !(answered && over);
    if (stalled && answered && over) {
        // The answer is in hand and its excess is known: it is the bot's own where taking the stall
        // off twice still leaves it over.
        charge.suspect = !over_budget(charge.charged - std::min(spent.stalled, charge.charged)) &&
                         !over_hard(spent.wall - 2 * spent.stalled);
    }
    used_ += charge.charged;
    return charge;
}

}  // namespace referee::clock
