#include "referee/connections/net/path_history.h"

#include <algorithm>

namespace referee::net {
namespace {

// What is added to the largest excess that was seen: the next one may be a little larger.
constexpr int margin_divisor = 4;

}  // namespace

void PathHistory::saw_least(Duration round_trip) {
    if (round_trip <= Duration::zero()) return;
    least_ = least_ ? std::min(*least_, round_trip) : round_trip;
}

void PathHistory::saw(Duration round_trip) {
    saw_least(round_trip);
    if (!least_ || round_trip - *least_ >= delayed_ack_min) return;
    samples_[seen_++ % samples_kept] = round_trip;
}

Path PathHistory::path() const {
    if (!least_) return {};
    auto excess = deviation_;
    const auto count = std::min(seen_, samples_kept);
    if (count > 0) {
        const auto largest = *std::max_element(
            samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(count));
        excess = largest - *least_;
        excess += excess / margin_divisor;
    }
    return {*least_, *least_ + std::clamp(excess, Duration::zero(), spread_max)};
}

}  // namespace referee::net
