#include "referee/game/clock/time.h"

#include <array>
#include <charconv>
#include <cmath>

#include "protocol/base/text.h"
#include "protocol/json/reader.h"

namespace referee {

std::string ms_text(Duration duration) {
    return base::milliseconds(in_us(duration));
}

std::string round_time(Duration duration) {
    const auto us = in_us(duration);
    constexpr std::int64_t us_per_ms = 1000;
    constexpr std::int64_t us_per_s = 1'000'000;
    if (us % us_per_s == 0) return std::to_string(us / us_per_s) + " s";
    if (us % us_per_ms == 0) return std::to_string(us / us_per_ms) + " ms";
    return ms_text(duration);
}

}  // namespace referee

namespace referee::clock {
namespace {

struct Unit {
    std::string_view name;
    Duration length;
};
constexpr std::array<Unit, 5> units{{{"us", std::chrono::microseconds(1)},
                                     {"ms", std::chrono::milliseconds(1)},
                                     {"s", std::chrono::seconds(1)},
                                     {"m", std::chrono::minutes(1)},
                                     {"h", std::chrono::hours(1)}}};
// The longest time that may be named: a month. It keeps all sums far from overflow.
constexpr Duration time_max = std::chrono::hours(24 * 31);

}  // namespace

std::optional<Duration> time_from(std::string_view text) {
    double amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    if (error != std::errc() || !(amount >= 0)) return std::nullopt;  // from_chars reads "nan" too
    const auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& known : units) {
        if (known.name != unit) continue;
        const auto nanoseconds = amount * static_cast<double>(known.length.count());
        if (nanoseconds > static_cast<double>(time_max.count())) return std::nullopt;
        return Duration(std::llround(nanoseconds));
    }
    return std::nullopt;
}

void read_time(protocol::json::Reader& reader, std::string_view name, Duration& value) {
    const auto given = reader.optional(name);
    if (!given) return;
    const auto text = given.view().string();
    auto read = text ? time_from(*text) : std::nullopt;
    if (const auto us = given.view().integer(); us && *us >= 0 && *us <= in_us(time_max))
        read = from_us(*us);
    if (read) {
        value = *read;
    } else {
        given.expected("a time such as \"1s\", \"50ms\" or \"10m\" (at most 31 days)");
    }
}

}  // namespace referee::clock
