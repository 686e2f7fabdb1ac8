#include "referee/net/loop/loop_watch.h"

#include <algorithm>

namespace referee::loop {

LoopWatch::LoopWatch(Timers& timers, Machine& machine) : timers_(timers), machine_(machine) {
    begin();
}

void LoopWatch::begin() {
    machine_.wake();
    looked_at_ = timers_.now();
    clocks_ = machine_.clocks();
    sampled_at_ = looked_at_;
    stolen_at_ = looked_at_;
    load_ = machine_.load();
    plan(read());
}

LoopWatch::Reading LoopWatch::read() const {
    return {machine_.processor_time(), machine_.core_wait(), machine_.heartbeat(timers_.now())};
}

// Counts from the last look: what holds us up after it makes the next tick late.
void LoopWatch::plan(const Reading& before) {
    const auto planned = looked_at_ + tick_every;
    const auto timer = timers_.schedule(planned, [this] { tick(); });
    next_ = {timer, planned, before};
}

void LoopWatch::fall_asleep() {
    if (!next_) return;
    look();
    timers_.cancel(next_->timer);
    next_.reset();
    machine_.fall_asleep();
}

void LoopWatch::wake() {
    if (!next_) begin();
}

LoopWatch::~LoopWatch() {
    if (!next_) return;
    timers_.cancel(next_->timer);
    machine_.fall_asleep();
}

void LoopWatch::look() const {
    if (!next_) return;
    const auto now = timers_.now();
    const auto late = now - next_->planned;
    if (late > noise) tell_late(now);
    look_at_clocks(now);
    if (now - sampled_at_ >= sample_every) look_at_load(now);
    looked_at_ = now;
}

void LoopWatch::tell_late(Instant now) const {
    const auto late = now - next_->planned;
    if (2 * (machine_.processor_time() - next_->before.processor_time) > late) {
        log_.add(StallKind::busy_loop, next_->planned, now);
    } else if (2 * (machine_.core_wait() - next_->before.core_wait) > late) {
        log_.add(StallKind::no_core, next_->planned, now);
    } else {
        tell_stop(next_->planned, now);
    }
}

void LoopWatch::tell_stop(Instant from, Instant to) const {
    const auto late = to - from;
    const auto pulse = machine_.heartbeat(to);
    if (!pulse || !next_->before.pulse || late < told_apart_min)
        return log_.add(StallKind::not_running, from, to);
    const auto stood = pulse->stood - next_->before.pulse->stood;
    const auto starved = std::min(stood, pulse->core_wait - next_->before.pulse->core_wait);
    const auto ours = 2 * starved > late ? StallKind::heart_starved : StallKind::stopped;
    if (stood - starved <= noise) return log_.add(ours, from, to);
    // Its last beat may have come just before the machine stood still.
    const auto machine = stood - starved + Machine::beat_every;
    if (machine >= late) return log_.add(StallKind::stood_still, from, to);
    log_.add_share(StallKind::stood_still, from, to, machine);
    log_.add_share(ours, from, to, late);
}

void LoopWatch::look_at_clocks(Instant now) const {
    const auto clocks = machine_.clocks();
    const auto slept = clocks.slept - clocks_.slept;
    // A second look at the same instant finds the same stretch, which is none.
    const auto since = std::min(looked_at_, now - Duration(1));
    if (slept > noise) log_.add_share(StallKind::suspended, since, now, slept);
    clocks_.slept = clocks.slept;
    if (!clocks.wall_ahead) return;
    if (clocks_.wall_ahead) {
        // The wall clock goes on while the machine sleeps.
        const auto step =
            *clocks.wall_ahead - *clocks_.wall_ahead - std::max(slept, Duration::zero());
        if (step > step_min || step < -step_min) log_.add(StallKind::clock_step, since, now);
    }
    clocks_.wall_ahead = clocks.wall_ahead;
}

// What comes between the reading and the look is told by the look; what comes after the look is
// within the next reading. So a stop in the middle of this is noticed too.
void LoopWatch::tick() {
    const auto before = read();
    look();
    const auto planned = next_->planned;
    const auto now = looked_at_;
    plan(before);
    if (on_stall_ && now - planned >= told_min)
        on_stall_(cause(StallsOf::process, planned, now), now - planned);
}

void LoopWatch::look_at_load(Instant now) const {
    const auto load = machine_.load();
    add_stolen(load, now);
    add_load(StallKind::overloaded, load.waited - load_.waited, sampled_at_, now);
    load_ = load;
    sampled_at_ = now;
}

// The first step may have gathered, microseconds by microseconds, since the one before it: a host
// that takes a thousandth of the time makes no stall of 10 ms every 10 s. What is more than a step
// was lost since the last sample.
void LoopWatch::add_stolen(const Machine::Load& load, Instant now) const {
    const auto grown = load.stolen - load_.stolen;
    if (grown <= Duration::zero()) return;
    const auto gathered = std::min(grown, load.stolen_step);
    add_load(StallKind::stolen, gathered, stolen_at_, now);
    add_load(StallKind::stolen, grown - gathered, sampled_at_, now);
    stolen_at_ = now;
}

void LoopWatch::add_load(StallKind kind, Duration lost, Instant from, Instant now) const {
    const auto elapsed = now - from;
    if (static_cast<double>(lost.count()) <= overload_share * static_cast<double>(elapsed.count()))
        return;
    log_.add_share(kind, from, now, std::min(lost, elapsed));
}

Duration LoopWatch::stalled(StallsOf whose, Instant from, Instant to) const {
    if (to > looked_at_) look();  // all before the last look is in the log already
    return log_.stalled(whose, from, to);
}

std::string_view LoopWatch::cause(StallsOf whose, Instant from, Instant to) const {
    if (log_.stalled(whose, from, to) == Duration::zero()) return {};
    return describe(log_.worst(whose, from, to));
}

}  // namespace referee::loop
