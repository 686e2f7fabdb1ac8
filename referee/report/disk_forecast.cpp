#include "referee/report/disk_forecast.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace referee::report {
namespace {

constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t day_ms = 24 * 60 * minute_ms;
// In less time a single large file would look like a trend.
constexpr std::int64_t seen_least_ms = 60 * minute_ms;
// Nobody knows how much is played later than that; there is time enough to make room.
constexpr std::int64_t told_ahead_ms = 21 * day_ms;
constexpr double gigabyte = 1e9;

// "Friday, 2026-11-27"
std::string day_of(std::int64_t ms) {
    using namespace std::chrono;
    static constexpr std::array names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                      "Thursday", "Friday", "Saturday"};
    const auto days = floor<std::chrono::days>(sys_time<milliseconds>(milliseconds(ms)));
    const year_month_day date(days);
    return fmt::format("{}, {}-{:02}-{:02}", names.at(weekday(days).c_encoding()),
                       static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                       static_cast<unsigned>(date.day()));
}

}  // namespace

std::optional<std::string> DiskForecast::look(std::int64_t now_ms, Disk disk,
                                              const std::string& folder) {
    text_.clear();
    if (!seen_.empty() && now_ms < seen_.back().at_ms) seen_.clear();  // the clock was set back
    while (!seen_.empty() && seen_.front().at_ms < now_ms - day_ms) seen_.pop_front();
    seen_.push_back({now_ms, disk});
    const auto& first = seen_.front();
    const auto span = now_ms - first.at_ms;
    if (span < seen_least_ms || disk.free_bytes >= first.disk.free_bytes) return std::nullopt;
    const auto each_day = [span](std::uint64_t less, std::uint64_t more) {
        return static_cast<double>(std::max(less, more) - less) * static_cast<double>(day_ms) /
               static_cast<double>(span);
    };
    const auto all = each_day(disk.free_bytes, first.disk.free_bytes);
    const auto own = each_day(first.disk.store_bytes, disk.store_bytes);
    auto days_left = static_cast<double>(disk.free_bytes) / all;
    // Replays grow to their bound; then all else fills alone.
    const auto within = std::min(disk.store_bytes, disk.replay_bytes_most);
    const auto bounded = each_day(first.disk.store_bytes, within);
    const auto room = static_cast<double>(disk.replay_bytes_most - within);
    if (bounded * days_left > room) {
        if (bounded >= all) return std::nullopt;
        days_left = (static_cast<double>(disk.free_bytes) - room) / (all - bounded);
    }
    const auto left_ms = days_left * static_cast<double>(day_ms);
    if (left_ms > static_cast<double>(told_ahead_ms)) return std::nullopt;
    text_ = fmt::format(
        "the disk of {} is full on {}, if it goes on like this: {:.2f} GB more each day, of which "
        "{:.2f} GB are the referee's records and replays, {:.2f} GB are free. Make room{}",
        folder, day_of(now_ms + static_cast<std::int64_t>(left_ms)), all / gigabyte, own / gigabyte,
        static_cast<double>(disk.free_bytes) / gigabyte,
        2 * own < all ? ": other programs fill it" : ", or lower replays_mb of the config");
    if (told_ms_ && now_ms >= *told_ms_ && now_ms - *told_ms_ < day_ms) return std::nullopt;
    told_ms_ = now_ms;
    return text_;
}

}  // namespace referee::report
