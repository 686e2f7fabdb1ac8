#include "referee/connections/net/path_history.h"

#include <algorithm>

namespace referee::net {
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

void PathHistory::saw_deviation(Duration deviation) {
    deviation_ = deviation;
    reckon();
}

Duration PathHistory::excess() const {
    const auto count = std::min(seen_, samples_kept);
    auto kept = samples_;
    const auto end = kept.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(kept.begin(), end);
    const auto which = count < samples_few ? count - 1 : count - 2;
    const auto excess = kept[which] - *least_;
    return excess + excess / margin_divisor;
}

void PathHistory::reckon() {
    if (!least_) return;
    const auto spread = seen_ > 0 ? excess() : deviation_;
    path_ = {*least_, *least_ + std::clamp(spread, Duration::zero(), spread_max)};
}

}  // namespace referee::net
