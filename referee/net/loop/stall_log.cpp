#include "referee/net/loop/stall_log.h"

#include <algorithm>
#include <array>

#include "protocol/base/assertion.h"

namespace referee::loop {
namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(StallKind::stolen) + 1;

}  // namespace

std::string_view describe(StallKind kind) {
    switch (kind) {
        case StallKind::busy_loop:
            return "its own event loop was busy";
        case StallKind::no_core:
            return "the machine had no processor free for it";
        case StallKind::heart_starved:
            return "its process was not running, and the machine had no processor free for its "
                   "heartbeat";
        case StallKind::stopped:
            return "its process was stopped, while the machine went on";
        case StallKind::not_running:
            return "its process was not running";
        case StallKind::stood_still:
            return "the machine stood still, or at least the referee and its heartbeat";
        case StallKind::clock_step:
            return "the machine's wall clock jumped";
        case StallKind::suspended:
            return "the machine slept";
        case StallKind::overloaded:
            return "the machine was overloaded";
        case StallKind::stolen:
            return "the machine's host took its processors away";
    }
    return {};
}

bool StallLog::Stall::may_hit_bots() const {
    return kind == StallKind::no_core || kind == StallKind::overloaded ||
           kind == StallKind::heart_starved || kind == StallKind::stopped;
}

bool StallLog::Stall::stops_machine() const {
    switch (kind) {
        case StallKind::busy_loop:
        case StallKind::no_core:
        case StallKind::overloaded:
        case StallKind::heart_starved:
        case StallKind::stopped:
            return false;
        case StallKind::not_running:
        case StallKind::stood_still:
        case StallKind::clock_step:
        case StallKind::suspended:
        case StallKind::stolen:
            return true;
    }
    return true;
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
    std::array<Duration, kinds> lost{};
    each(whose, from, to, [&](const Stall& stall, Duration within) {
        lost[static_cast<std::size_t>(stall.kind)] += within;
    });
    return static_cast<StallKind>(std::max_element(lost.begin(), lost.end()) - lost.begin());
}

}  // namespace referee::loop
