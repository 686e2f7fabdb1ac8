#include "referee/game/clock/seat_clock.h"

#include <algorithm>

#include "protocol/base/text.h"

namespace referee::clock {

Duration stall_threshold(Duration budget) {
    const auto share = std::chrono::duration_cast<Duration>(stall_share * budget);
    return std::max<Duration>(share, stall_floor);
}

SeatClock::SeatClock(const ClockConfig& config)
    : config_(completed(config)), remaining_(config.budget) {}

Duration SeatClock::budget() const {
    return config_.kind == ClockKind::game ? std::max(remaining_, Duration::zero())
                                           : config_.budget;
}

Duration SeatClock::wall_limit() const {
    const bool by_budget = config_.measure == Measure::wall && config_.kind != ClockKind::none;
    return by_budget ? std::min(config_.hard_limit, budget()) : config_.hard_limit;
}

Path SeatClock::allowance(const Path& path) const {
    if (!config_.allowance) return {};
    const auto jitter = std::min(path.most - path.least,
                                 config_.jitter_max.value_or(wall_limit() / jitter_divisor));
    const auto least = std::min(path.least, config_.allowance_max);
    const auto most = std::min(path.least + jitter, config_.allowance_max);
    return {least, most, std::min(path.mean_excess, most - least)};
}

Duration SeatClock::wait_limit(Path path) const {
    return wall_limit() + allowance(path).most;
}

Duration SeatClock::cpu_budget() const {
    const bool bounded = config_.measure == Measure::cpu && config_.kind != ClockKind::none;
    return bounded ? budget() : Duration::zero();
}

Duration SeatClock::hung_limit(Path path) const {
    return wait_limit(path) + std::max(config_.hung_after - lateness_, Duration::zero());
}

Duration SeatClock::excused_stall(Duration stalled) const {
    const auto limit = budget();
    const bool counts =
        stalled > stall_threshold(limit > Duration::zero() ? limit : config_.hard_limit);
    return counts ? stalled : Duration::zero();
}

Duration SeatClock::grace(Duration stalled, Duration waited) const {
    return 2 * excused_stall(stalled) + waited;
}

void SeatClock::used_before(Duration charged) {
    used_ += charged;
    if (config_.kind == ClockKind::game) remaining_ += config_.increment - charged;
}

Charge SeatClock::answered(const Spent& spent) {
    return book(spent, true);
}

Charge SeatClock::expired(const Spent& spent) {
    return book(spent, false);
}

SeatClock::Verdict SeatClock::verdict(const Reading& reading, const Spent& spent,
                                      bool answered) const {
    const auto after = [&](Duration path) {
        return std::max(reading.wall - path - reading.excused, Duration::zero());
    };
    Verdict verdict;
    const bool cpu = config_.measure == Measure::cpu;
    verdict.charged = by_cpu(spent) ? *spent.cpu : after(cpu ? Duration::zero() : reading.path);
    verdict.over_hard = after(reading.path) - config_.hard_limit;
    verdict.over_budget = verdict.charged - budget();
    // An answer exactly at the limit is in time; without an answer the time is used up there.
    const auto over = [answered](Duration by) {
        return answered ? by > Duration::zero() : by >= Duration::zero();
    };
    verdict.budget = config_.kind != ClockKind::none && over(verdict.over_budget);
    verdict.hard = over(verdict.over_hard);
    return verdict;
}

// The plain reading, in the order in which it takes off; and where the friendliest is within a
// limit, no more than that limit.
Charge SeatClock::tell(const Spent& spent, const Path& path, const Verdict& plain,
                       const Verdict& friendly) const {
    Charge charge;
    charge.charged = plain.charged;
    // A line that came before its turn left, and was read behind it, took no time.
    charge.wall = std::max(spent.wall, Duration::zero());
    charge.round_trip = std::max(spent.round_trip, plain_path(spent.path));
    charge.allowance = plain_path(path);
    if (by_cpu(spent)) return charge;
    charge.jitter = path.most - charge.allowance;
    auto left = charge.wall;
    const auto take = [&left](Duration most) {
        const auto taken = std::clamp(most, Duration::zero(), left);
        left -= taken;
        return taken;
    };
    if (config_.measure == Measure::wall) charge.allowed = take(charge.allowance);
    charge.waited = take(spent.waited);
    charge.corrected = take(excused_stall(spent.stalled));
    if (plain.budget && !friendly.budget) charge.charged = std::min(charge.charged, budget());
    if (plain.hard && !friendly.hard) charge.charged = std::min(charge.charged, config_.hard_limit);
    charge.doubted = plain.charged - charge.charged;
    return charge;
}

Charge SeatClock::book(const Spent& spent, bool answered) {
    const auto stall = excused_stall(spent.stalled);
    const auto shortest = std::max(spent.wall - spent.doubt, Duration::zero());
    // Under `cpu` a wait for a core is not charged anyway, and moves no hard limit: that is wall
    // time.
    const auto excused = stall + (by_cpu(spent) ? Duration::zero() : spent.waited);
    const auto path = allowance(spent.path);
    const auto plain = verdict({spent.wall, plain_path(path), excused}, spent, answered);
    const auto friendly = verdict({shortest, path.most, excused}, spent, answered);
    // The friendliest verdict as if the stall had cost the bot twice its length: what is still late
    // then is the bot's own doing.
    const auto certain = verdict({shortest, path.most, excused + stall}, spent, answered);
    auto charge = tell(spent, path, plain, friendly);
    charge.hard = friendly.hard && !friendly.budget;
    charge.late = !answered || friendly.over();
    const auto limit = config_.kind == ClockKind::none ? config_.hard_limit : budget();
    charge.close = charge.late || charge.doubted > Duration::zero() ||
                   charge.charged >= std::chrono::duration_cast<Duration>(near_limit_share * limit);
    if (config_.kind == ClockKind::game) {
        charge.flag = friendly.budget;
        charge.late = !answered || friendly.hard;
        remaining_ += config_.increment - charge.charged;
    } else if (config_.waits_for_late && friendly.over()) {
        lateness_ += std::max({certain.over_budget, certain.over_hard, Duration::zero()});
        charge.lateness = lateness_;
        charge.hung = lateness_ >= config_.hung_after;
    }
    charge.suspect = excused > Duration::zero() && (charge.late || charge.flag) && !certain.over();
    used_ += charge.charged;
    return charge;
}

void Doubts::count(const Charge& charge) {
    ++turns;
    if (charge.doubted <= Duration::zero() || charge.late || charge.flag) return;
    ++by_doubt;
    sum += charge.doubted;
}

void Doubts::add(const Doubts& others) {
    turns += others.turns;
    by_doubt += others.by_doubt;
    sum += others.sum;
}

bool Doubts::many() const {
    return turns >= doubted_turns_min &&
           static_cast<double>(by_doubt) > doubted_share_max * static_cast<double>(turns);
}

std::string describe(const Doubts& doubts) {
    return fmt::format("{} of {} turns were in time only by doubt, {} taken off in all",
                       doubts.by_doubt, doubts.turns, ms_text(doubts.sum));
}

// Each part is the difference of two sums that are cut to microseconds. So nothing is lost between
// the parts, and the last sum is the wall time.
ToldCharge as_told(const Charge& charge) {
    auto sum = charge.charged;
    const auto part = [&sum](Duration time) {
        const auto before = in_us(sum);
        sum += time;
        return in_us(sum) - before;
    };
    ToldCharge told;
    told.charged_us = in_us(charge.charged);
    told.wall_us = in_us(charge.wall);
    told.allowed_us = part(charge.allowed);
    told.waited_us = part(charge.waited);
    told.corrected_us = part(charge.corrected);
    told.doubted_us = part(charge.doubted);
    if (charge.close) told.jitter_us = in_us(charge.jitter);
    return told;
}

}  // namespace referee::clock
