#include "referee/config/fields.h"

#include <array>
#include <charconv>
#include <cmath>

namespace referee::config {
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
// The longest time that a config may name: a month. It keeps all sums far from overflow.
constexpr Duration time_max = std::chrono::hours(24 * 31);

std::string text_of(engines::Score score) {
    std::string text;
    json::Writer writer(text);
    score.write(writer);
    return text;
}

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

void read_time(json::Reader& reader, std::string_view name, Duration& value) {
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

void read_secret(json::Reader& reader, std::string_view name, std::string& value) {
    const auto given = reader.optional(name);
    if (!given) return;
    if (const auto text = given.view().string()) {
        value = *text;
    } else {
        given.wrong(
            "expected a text in quotes, such as \"plum-4242\"; what stands there is not "
            "shown, because it may be a secret");
    }
}

bool is_object_of_secrets(const json::Placed& given, std::string_view like) {
    if (given.view().is_object()) return true;
    given.wrong("expected an object such as " + std::string(like) +
                "; what stands there is not shown, because it may be a secret");
    return false;
}

json::Placed read_object_of_secrets(json::Reader& reader, std::string_view name) {
    const auto given = reader.optional(name);
    if (!given || is_object_of_secrets(given, "{...}")) return given;
    return {json::View(), given.mistakes()};
}

void read_score(json::Reader& reader, std::string_view name, engines::Score& value,
                const ScoreRange& range) {
    const auto given = reader.optional(name);
    if (!given) return;
    const double halves = given.view().number().value_or(-1) * 2;
    if (halves >= static_cast<double>(range.least.in_halves()) &&
        halves <= static_cast<double>(range.most.in_halves()) && halves == std::floor(halves)) {
        value = engines::Score::halves(static_cast<std::int64_t>(halves));
        return;
    }
    given.expected("points from " + text_of(range.least) + " to " + text_of(range.most) +
                   " in whole or half points, such as 1 or 0.5");
}

}  // namespace referee::config
