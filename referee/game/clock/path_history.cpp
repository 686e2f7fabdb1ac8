#include "referee/game/clock/path_history.h"

#include <algorithm>

namespace referee::clock {
namespace {

// What is added to the excess that was seen: the next one may be a little larger.
constexpr int margin_divisor = 4;

}  // namespace

void PathHistory::saw_least(Duration round_trip) {
    if (round_trip <= Duration::zero()) return;
    if (least_ && *least_ <= round_trip) return;
    least_ = round_trip;
    reckon();
}

void PathHistory::saw(Duration round_trip) {
    saw_least(round_trip);
    if (!least_ || round_trip - *least_ >= delayed_ack_min) return;
    samples_[seen_++ % samples_kept] = round_trip;
    reckon();
}

void PathHistory::saw_more_than(Duration round_trip) {
    saw_least(round_trip);
    if (seen_ == 0 || round_trip - *least_ > seen_excess()) saw(round_trip);
}

void PathHistory::asked() {
    if (asked_ >= samples_few) return;
    ++asked_;
    reckon();
}

void PathHistory::saw_deviation(Duration deviation) {
    deviation_ = deviation;
    reckon();
}

void PathHistory::join(const PathHistory& later) {
    if (later.least_) saw_least(*later.least_);
    for (std::size_t i = 0; i < std::min(later.seen_, samples_kept); ++i) saw(later.samples_[i]);
    for (std::size_t i = 0; i < later.asked_; ++i) asked();
}

Duration PathHistory::seen_excess() const {
    const auto count = std::min(seen_, samples_kept);
    auto kept = samples_;
    const auto end = kept.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(kept.begin(), end);
    const auto which = count < samples_few ? count - 1 : count - 2;
    return kept[which] - *least_;
}

Duration PathHistory::excess() const {
    const auto excess = seen_excess();
    return excess + excess / margin_divisor;
}

Duration PathHistory::unknown() const {
    constexpr std::size_t fades_in = samples_few / 2;
    const auto left = std::min(samples_few - asked_, fades_in);
    return spread_max * static_cast<Duration::rep>(left) / static_cast<Duration::rep>(fades_in);
}

Duration PathHistory::mean_excess() const {
    const auto count = static_cast<Duration::rep>(std::min(seen_, samples_kept));
    if (count == 0) return Duration::zero();
    Duration sum{};
    for (Duration::rep i = 0; i < count; ++i)
        sum += samples_[static_cast<std::size_t>(i)] - *least_;
    return sum / count;
}

void PathHistory::reckon() {
    if (!least_) return;
    const auto shown = seen_ > 0 ? excess() : deviation_;
    const auto spread = std::clamp(std::max(shown, unknown()), Duration::zero(), spread_max);
    path_ = {*least_, *least_ + spread, std::min(mean_excess(), spread)};
}

}  // namespace referee::clock
