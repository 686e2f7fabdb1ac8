#include "referee/net/loop/stall_log.h"

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"
#include "protocol/base/names.h"

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

}  // namespace referee::loop
