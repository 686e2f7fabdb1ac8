#include "referee/game/clock/path.h"

#include <algorithm>
#include <array>

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

void PathHistory::saw(Duration round_trip, Instant at) {
    saw_least(round_trip);
    if (!least_ || round_trip - *least_ >= delayed_ack_min) return;
    samples_.push_back({at, round_trip});
    if (samples_.size() > samples_kept) samples_.erase(samples_.begin());
    forget_before(at - sample_age_max);
    reckon();
}

void PathHistory::saw_more_than(Duration round_trip, Instant at) {
    saw_least(round_trip);
    if (samples_.empty() || round_trip - *least_ > seen().second) saw(round_trip, at);
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

void PathHistory::forget_before(Instant at) {
    samples_.erase(samples_.begin(),
                   std::find_if(samples_.begin(), samples_.end(),
                                [at](const Sample& sample) { return sample.at >= at; }));
    reckon();
}

void PathHistory::join(const PathHistory& later) {
    if (later.least_) saw_least(*later.least_);
    for (const auto& sample : later.samples_) saw(sample.round_trip, sample.at);
    for (std::size_t i = 0; i < later.asked_; ++i) asked();
}

std::pair<Duration, Duration> PathHistory::seen() const {
    std::array<Duration, samples_kept> sorted;
    auto* const end =
        std::transform(samples_.begin(), samples_.end(), sorted.data(),
                       [this](const Sample& sample) { return sample.round_trip - *least_; });
    std::sort(sorted.data(), end);
    return {sorted.front(), samples_.size() < samples_few ? end[-1] : end[-2]};
}

Duration PathHistory::unknown() const {
    constexpr std::size_t fades_in = samples_few / 2;
    const auto left = std::min(samples_few - asked_, fades_in);
    return spread_max * static_cast<Duration::rep>(left) / static_cast<Duration::rep>(fades_in);
}

Duration PathHistory::mean_excess() const {
    Duration sum{};
    for (const auto& sample : samples_) sum += sample.round_trip - *least_;
    return sum / static_cast<Duration::rep>(samples_.size());
}

void PathHistory::reckon() {
    if (!least_) return;
    auto shown = deviation_;
    Duration mean{};
    if (!samples_.empty()) {
        const auto [smallest, excess] = seen();
        const bool held = samples_.size() >= samples_few && smallest > excess / 2;
        shown = held ? Duration::zero() : excess + excess / margin_divisor;
        mean = held ? Duration::zero() : mean_excess();
    }
    const auto spread = std::clamp(std::max(shown, unknown()), Duration::zero(), spread_max);
    path_ = {*least_, *least_ + spread, std::min(mean, spread)};
}

}  // namespace referee::clock
