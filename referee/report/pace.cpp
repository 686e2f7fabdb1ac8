#include "referee/report/pace.h"

#include <chrono>

namespace referee::report {
namespace {

using Seconds = std::chrono::duration<double>;

// A pace is that of the last minute: long games come and go in it, and a machine that becomes busy
// is noticed.
constexpr Duration window = std::chrono::seconds(60);
constexpr Duration sample_every = std::chrono::milliseconds(500);
// Less than this tells nothing.
constexpr Duration measured_min = std::chrono::seconds(2);
constexpr std::uint64_t games_min = 2;
constexpr std::uint64_t matches_min = 4;

}  // namespace

void Pace::add(Instant now, std::uint64_t games, std::uint64_t matches) {
    // The last sample is always of now.
    if (samples_.size() > 1 && now - samples_[samples_.size() - 2].at < sample_every)
        samples_.pop_back();
    samples_.push_back({now, games, matches});
    while (samples_.size() > 2 && now - samples_[1].at >= window) samples_.pop_front();
}

std::optional<double> Pace::games_a_second() const {
    if (samples_.empty()) return std::nullopt;
    const auto& from = samples_.front();
    const auto& to = samples_.back();
    // Games that are played again may make it less than it was.
    if (to.at - from.at < measured_min || to.games < from.games + games_min) return std::nullopt;
    return static_cast<double>(to.games - from.games) / Seconds(to.at - from.at).count();
}

std::optional<Duration> Pace::left(std::uint64_t matches_left) const {
    if (samples_.empty()) return std::nullopt;
    const auto& from = samples_.front();
    const auto& to = samples_.back();
    if (to.at - from.at < measured_min || to.matches < from.matches + matches_min)
        return std::nullopt;
    const auto per_match =
        Seconds(to.at - from.at) / static_cast<double>(to.matches - from.matches);
    return std::chrono::duration_cast<Duration>(per_match * static_cast<double>(matches_left));
}

}  // namespace referee::report
