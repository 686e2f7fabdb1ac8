#include "engines/superball/params.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace engines::superball {
namespace {

struct Range {
    std::uint64_t min;
    std::uint64_t max;
};

constexpr Range side_range{1, side_max};
constexpr Range size_range{1, std::numeric_limits<std::uint64_t>::max()};
constexpr Range pace_range{0, std::numeric_limits<std::uint64_t>::max()};

SetupError error(std::string_view member, const std::string& expected, json::View found) {
    std::string text;
    json::Writer writer(text);
    constexpr std::size_t shown_max = 40;
    found.write(writer);
    if (found.is_array() || found.is_object() || text.size() > shown_max) {
        text = json::describe(found.kind());
    }
    return {"params." + std::string(member), "expected " + expected + ", found " + text};
}

std::string describe_range(Range range, std::string_view example) {
    std::string text = "an integer ";
    if (range.max == std::numeric_limits<std::uint64_t>::max()) {
        text += "of at least " + std::to_string(range.min);
    } else {
        text += "from " + std::to_string(range.min) + " to " + std::to_string(range.max);
    }
    return text + ", such as " + std::string(example);
}

// Reads a member that is an integer in a range; nothing where it was fine.
template <typename Number>
std::optional<SetupError> read_number(json::Member member, Range range, std::string_view example,
                                      Number& into) {
    const auto number = member.value.unsigned_integer();
    if (!number || *number < range.min || *number > range.max) {
        return error(member.name, describe_range(range, example), member.value);
    }
    into = static_cast<Number>(*number);
    return std::nullopt;
}

std::optional<SetupError> read_colors(json::Member member, std::string& into) {
    const auto letters = member.value.string();
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    bool good = letters && !letters->empty() && letters->size() <= colors_max &&
                std::all_of(letters->begin(), letters->end(), is_letter);
    if (good) {
        std::string sorted(*letters);
        std::sort(sorted.begin(), sorted.end());
        good = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }
    if (!good) {
        return error(member.name,
                     "a string of 1 to 26 different lower-case letters, such as \"pbyrg\"",
                     member.value);
    }
    into = *letters;
    return std::nullopt;
}

std::optional<SetupError> read_member(json::Member member, Rules& rules) {
    if (member.name == "rows") return read_number(member, side_range, "8", rules.rows);
    if (member.name == "cols") return read_number(member, side_range, "10", rules.cols);
    if (member.name == "min_score_size") {
        return read_number(member, size_range, "5", rules.min_score_size);
    }
    if (member.name == "colors") return read_colors(member, rules.colors);
    if (member.name == "pace_us") return read_number(member, pace_range, "5000000", rules.pace_us);
    return SetupError{
        "params." + std::string(member.name),
        "no such member; Superball has rows, cols, min_score_size, colors and pace_us"};
}

}  // namespace

std::variant<Rules, SetupError> read_params(json::View params) {
    Rules rules;
    if (!params) return rules;
    if (!params.is_object()) {
        return SetupError{"params", "expected an object, such as {\"rows\": 8}, found " +
                                        std::string(json::describe(params.kind()))};
    }
    for (const auto member : params.members()) {
        if (auto wrong = read_member(member, rules)) return *std::move(wrong);
    }
    return rules;
}

std::string write_params(const Rules& rules) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object()
        .member("rows", rules.rows)
        .member("cols", rules.cols)
        .member("min_score_size", rules.min_score_size)
        .member("colors", rules.colors)
        .member("pace_us", rules.pace_us)
        .end_object();
    return text;
}

}  // namespace engines::superball
