#include "referee/config/member_reader.h"

#include <algorithm>
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

std::string found(json::View view) {
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    constexpr std::size_t shown_max = 60;
    if (text.size() > shown_max) return std::string(describe(view.kind()));
    return text;
}

std::string listed(const std::vector<std::string_view>& words) {
    std::string list;
    for (const auto word : words) list += (list.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    return list;
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

MemberReader::MemberReader(json::View object, std::string path, std::vector<ConfigError>& errors)
    : object_(object), path_(std::move(path)), errors_(errors) {}

std::string MemberReader::path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

void MemberReader::wrong(std::string_view name, std::string message) {
    const auto value = object_.find(name);
    errors_.push_back({value ? value.line() : object_.line(), path_of(name), std::move(message)});
}

json::View MemberReader::take(std::string_view name) {
    known_.emplace_back(name);
    return object_.find(name);
}

json::View MemberReader::any(std::string_view name) {
    return take(name);
}

json::View MemberReader::object(std::string_view name) {
    const auto value = take(name);
    if (!value || value.is_object()) return value;
    wrong(name, "expected an object {...}, found " + found(value));
    return {};
}

json::View MemberReader::array(std::string_view name) {
    const auto value = take(name);
    if (!value || value.is_array()) return value;
    wrong(name, "expected a list [...], found " + found(value));
    return {};
}

void MemberReader::text(std::string_view name, std::string& value) {
    const auto given = take(name);
    if (!given) return;
    if (const auto read = given.string()) {
        value = *read;
    } else {
        wrong(name, "expected a text \"...\", found " + found(given));
    }
}

void MemberReader::boolean(std::string_view name, bool& value) {
    const auto given = take(name);
    if (!given) return;
    if (const auto read = given.boolean()) {
        value = *read;
    } else {
        wrong(name, "expected true or false, found " + found(given));
    }
}

void MemberReader::time(std::string_view name, Duration& value) {
    const auto given = take(name);
    if (!given) return;
    auto read = given.string() ? time_from(*given.string()) : std::nullopt;
    if (const auto us = given.integer(); us && *us >= 0 && *us <= in_us(time_max))
        read = from_us(*us);
    if (read) {
        value = *read;
    } else {
        wrong(name,
              "expected a time such as \"1s\", \"50ms\" or \"10m\" (at most 31 days), found " +
                  found(given));
    }
}

void MemberReader::texts(std::string_view name, std::vector<std::string>& value) {
    const auto list = array(name);
    if (!list) return;
    value.clear();
    for (const auto element : list.elements()) {
        if (const auto read = element.string()) {
            value.emplace_back(*read);
        } else {
            errors_.push_back({element.line(),
                               path_of(name) + "[" + std::to_string(value.size()) + "]",
                               "expected a text \"...\", found " + found(element)});
            return;
        }
    }
}

std::optional<std::size_t> MemberReader::word(std::string_view name,
                                              const std::vector<std::string_view>& words) {
    const auto given = take(name);
    if (!given) return std::nullopt;
    const auto read = given.string();
    const auto at = read ? std::find(words.begin(), words.end(), *read) : words.end();
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    wrong(name, "expected one of " + listed(words) + ", found " + found(given));
    return std::nullopt;
}

std::optional<std::int64_t> MemberReader::bounded(std::string_view name, std::int64_t least,
                                                  std::int64_t most) {
    const auto given = take(name);
    if (!given) return std::nullopt;
    const auto read = given.integer();
    if (read && *read >= least && *read <= most) return read;
    wrong(name, "expected an integer from " + std::to_string(least) + " to " +
                    std::to_string(most) + ", found " + found(given));
    return std::nullopt;
}

void MemberReader::number(std::string_view name, double& value, double least, double most) {
    const auto given = take(name);
    if (!given) return;
    const auto read = given.number();
    if (read && *read >= least && *read <= most) {
        value = *read;
        return;
    }
    std::string range;
    json::Writer writer(range);
    writer.real(least);
    range += " to ";
    json::Writer(range).real(most);
    wrong(name, "expected a number from " + range + ", found " + found(given));
}

void MemberReader::score(std::string_view name, engines::Score& value, std::int64_t most) {
    const auto given = take(name);
    if (!given) return;
    const auto read = given.number();
    const double halves = read.value_or(-1) * 2;
    if (halves >= 0 && halves <= static_cast<double>(most) * 2 && halves == std::floor(halves)) {
        value = engines::Score::halves(static_cast<std::int64_t>(halves));
        return;
    }
    wrong(name, "expected points from 0 to " + std::to_string(most) +
                    " in whole or half points, such as 1 or 0.5, found " + found(given));
}

void MemberReader::no_others() {
    for (const auto [name, value] : object_.members()) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        std::vector<std::string_view> words(known_.begin(), known_.end());
        errors_.push_back(
            {value.line(), path_of(name), "no such member here; expected " + listed(words)});
    }
}

}  // namespace referee::config
