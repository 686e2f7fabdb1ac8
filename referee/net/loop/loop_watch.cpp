#include "referee/net/loop/loop_watch.h"

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "protocol/base/enum_names.h"

namespace referee::loop {
namespace {

struct Kind {
    StallKind value;
    bool stops_machine;
    bool may_hit_bots;      // of those that don't
    std::string_view name;  // in plain words
};
constexpr std::array<Kind, 10> kinds{{
    {StallKind::busy_loop, false, false, "its own event loop was busy"},
    {StallKind::no_core, false, true, "the machine had no processor free for it"},
    {StallKind::heart_starved, false, true,
     "its process was not running, and the machine had no processor free for its heartbeat"},
    {StallKind::stopped, false, true, "its process was stopped, while the machine went on"},
    {StallKind::not_running, true, false, "its process was not running"},
    {StallKind::stood_still, true, false,
     "the machine stood still, or at least the referee and its heartbeat"},
    {StallKind::clock_step, true, false, "the machine's wall clock jumped"},
    {StallKind::suspended, true, false, "the machine slept"},
    {StallKind::overloaded, false, true, "the machine was overloaded"},
    {StallKind::stolen, true, false, "the machine's host took its processors away"},
}};
static_assert(base::in_order(kinds));

}  // namespace

std::string_view describe(StallKind kind) {
    return base::row_of(kinds, kind).name;
}

bool StallLog::Stall::may_hit_bots() const {
    return base::row_of(kinds, kind).may_hit_bots;
}

bool StallLog::Stall::stops_machine() const {
    return base::row_of(kinds, kind).stops_machine;
}

Duration StallLog::Stall::within(Instant begin, Instant end) const {
    const auto overlap = std::min(end, to) - std::max(begin, from);
    const auto length = to - from;
    if (lost > length) return overlap >= Duration::zero() ? lost : Duration::zero();
    if (overlap <= Duration::zero()) return Duration::zero();
    if (lost == length) return overlap;
    const auto share = static_cast<double>(overlap.count()) / static_cast<double>(length.count());
    return Duration(static_cast<Duration::rep>(share * static_cast<double>(lost.count())));
}

void StallLog::add(StallKind kind, Instant from, Instant to) {
    for (auto stall = stalls_.rbegin(); stall != stalls_.rend() && stall->to > from; ++stall) {
        if (stall->lost == stall->to - stall->from) from = std::max(from, stall->to);
    }
    if (to > from) keep({kind, from, to, to - from});
}

void StallLog::add_share(StallKind kind, Instant from, Instant to, Duration lost) {
    const auto rest = lost - stalled(StallsOf::process, from, to);
    if (to > from && rest > Duration::zero()) keep({kind, from, to, rest});
}

void StallLog::keep(const Stall& stall) {
    REFEREE_ASSERT(stalls_.empty() || stall.to >= stalls_.back().to);
    stalls_.push_back(stall);
    if (stalls_.size() > kept_max) stalls_.pop_front();
}

template <typename Tell>
void StallLog::each(StallsOf whose, Instant from, Instant to, Tell tell) const {
    auto reached = to;  // how far back the time up to `to` is covered without a gap
    for (auto stall = stalls_.rbegin(); stall != stalls_.rend() && stall->to >= from; ++stall) {
        if (stall->from > to) continue;
        const bool reaches = stall->to + reach >= reached;
        if (reaches) reached = std::min(reached, stall->to - stall->lost);
        const bool counts = stall->stops_machine() || whose == StallsOf::process ||
                            (whose == StallsOf::cores && stall->may_hit_bots()) ||
                            (whose != StallsOf::machine && reaches);
        if (counts) tell(*stall, stall->within(from, to));
    }
}

Duration StallLog::stalled(StallsOf whose, Instant from, Instant to) const {
    Duration sum{};
    each(whose, from, to, [&](const Stall& /*stall*/, Duration lost) { sum += lost; });
    return sum;
}

StallKind StallLog::worst(StallsOf whose, Instant from, Instant to) const {
    std::array<Duration, kinds.size()> lost{};
    each(whose, from, to, [&](const Stall& stall, Duration within) {
        lost[static_cast<std::size_t>(stall.kind)] += within;
    });
    return static_cast<StallKind>(std::max_element(lost.begin(), lost.end()) - lost.begin());
}

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
