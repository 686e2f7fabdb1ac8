#include "referee/connections/runtime/loop_watch.h"

#include <algorithm>

namespace referee::runtime {

LoopWatch::LoopWatch(Timers& timers, const Machine& machine) : timers_(timers), machine_(machine) {
    begin();
}

void LoopWatch::begin() {
    looked_at_ = timers_.now();
    clocks_ = machine_.clocks();
    sampled_at_ = looked_at_;
    load_ = machine_.load();
    plan();
}

void LoopWatch::plan() {
    processor_time_ = machine_.processor_time();
    core_wait_ = machine_.core_wait();
    planned_ = timers_.now() + tick_every;
    timer_ = timers_.schedule(planned_, [this] { tick(); });
}

void LoopWatch::rest() {
    if (timer_ == 0) return;
    look();
    timers_.cancel(timer_);
    timer_ = 0;
}

void LoopWatch::wake() {
    if (timer_ == 0) begin();
}

LoopWatch::~LoopWatch() {
    timers_.cancel(timer_);
}

void LoopWatch::look() const {
    if (timer_ == 0) return;
    const auto now = timers_.now();
    if (now - planned_ > noise) log_.add(kind_of(now - planned_), planned_, now);
    look_at_clocks(now);
    if (now - sampled_at_ >= sample_every) look_at_load(now);
    looked_at_ = now;
}

StallKind LoopWatch::kind_of(Duration late) const {
    if (2 * (machine_.processor_time() - processor_time_) > late) return StallKind::busy_loop;
    if (2 * (machine_.core_wait() - core_wait_) > late) return StallKind::no_core;
    return StallKind::not_running;
}

void LoopWatch::look_at_clocks(Instant now) const {
    const auto clocks = machine_.clocks();
    const auto slept = clocks.slept - clocks_.slept;
    // A second look at the same instant finds the same stretch: none.
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

void LoopWatch::tick() {
    look();
    plan();
}

void LoopWatch::look_at_load(Instant now) const {
    const auto load = machine_.load();
    add_load(StallKind::stolen, load.stolen - load_.stolen, now);
    add_load(StallKind::overloaded, load.waited - load_.waited, now);
    load_ = load;
    sampled_at_ = now;
}

void LoopWatch::add_load(StallKind kind, Duration lost, Instant now) const {
    const auto elapsed = now - sampled_at_;
    if (static_cast<double>(lost.count()) <= overload_share * static_cast<double>(elapsed.count()))
        return;
    log_.add_share(kind, sampled_at_, now, std::min(lost, elapsed));
}

Duration LoopWatch::stalled(StallsOf whose, Instant from, Instant to) const {
    if (to > looked_at_) look();  // what lies before the last look is known
    return log_.stalled(whose, from, to);
}

std::string_view LoopWatch::cause(StallsOf whose, Instant from, Instant to) const {
    if (log_.stalled(whose, from, to) == Duration::zero()) return {};
    return describe(log_.worst(whose, from, to));
}

}  // namespace referee::runtime
