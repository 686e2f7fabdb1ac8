#include "tests/engines/conformance/hostile_json.h"
#include "tests/json.h"

#include <array>

namespace tests {

using Json = nlohmann::json;

namespace {

constexpr std::size_t depth_max = 3;
constexpr std::size_t elements_max = 5;
constexpr std::size_t changes_max = 3;

constexpr std::array scalars = {"null",
                                "true",
                                "false",
                                "0",
                                "-1",
                                "1",
                                "2",
                                "7",
                                "1.5",
                                "5.0",
                                "1e5",
                                "2147483648",
                                "-9223372036854775808",
                                "9223372036854775807",
                                "18446744073709551615",
                                "\"\"",
                                "\"F\"",
                                "\"U\"",
                                "\"f\"",
                                "\" F\"",
                                "\"NSOE\"",
                                "\"SWAP 0 0 1 1\"",
                                "\"SCORE 2 0\"",
                                "\"\\u0000\"",
                                "\"\xC3\xA9\"",
                                "[]",
                                "{}",
                                "[[]]",
                                "[[1,2]]",
                                "[[1,2],[3,4],[5,6]]",
                                "[[-1,-1],null,3]",
                                "{\"move\":\"F\"}"};

std::string long_string(Random& random) {
    constexpr std::size_t length_max = 3000;
    constexpr std::string_view letters = "NSOE\\ \xC3\xA9x";
    std::string text;
    const auto size = random.below(length_max);
    while (text.size() < size) text += letters[random.below(5)];
    return Json(text).dump();
}

std::string nested(Random& random, std::size_t depth) {
    if (depth == 0 || random.chance(40)) return scalars[random.below(scalars.size())];
    const bool is_array = random.chance(60);
    std::string text = is_array ? "[" : "{";
    const auto size = random.below(elements_max);
    for (std::size_t i = 0; i < size; ++i) {
        if (i > 0) text += ',';
        if (!is_array) text += "\"m" + std::to_string(i) + "\":";
        text += nested(random, depth - 1);
    }
    return text + (is_array ? "]" : "}");
}

// Any part of the value, at any depth.
Json& random_part(Random& random, Json& value) {
    if (!value.is_structured() || value.empty() || random.chance(30)) return value;
    auto it = value.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random.below(value.size())));
    return random_part(random, *it);
}

void change(Random& random, Json& part) {
    if (part.is_array() && random.chance(60)) {
        const auto at = static_cast<std::ptrdiff_t>(part.empty() ? 0 : random.below(part.size()));
        if (random.chance(50) || part.empty()) {
            part.insert(part.begin() + at, Json::parse(random_json(random)));
        } else {
            part.erase(part.begin() + at);
        }
    } else if (part.is_string() && !part.get<std::string>().empty() && random.chance(70)) {
        auto text = part.get<std::string>();
        text[random.below(text.size())] = static_cast<char>(' ' + random.below(95));
        part = text;
    } else if (part.is_number_integer() && random.chance(50)) {
        // By -2 to 2, around the end of the range if need be.
        const auto step = static_cast<std::uint64_t>(random.below(5)) - 2;
        part = static_cast<std::int64_t>(part.get<std::uint64_t>() + step);
    } else {
        part = Json::parse(random_json(random));
    }
}

}  // namespace

std::string random_json(Random& random) {
    return random.chance(3) ? long_string(random) : nested(random, depth_max);
}

std::string mutated(Random& random, const std::string& json_text) {
    Json value = Json::parse(json_text);
    const auto changes = 1 + random.below(changes_max);
    for (std::size_t i = 0; i < changes; ++i) {
        if (value.is_object() && !value.empty() && random.chance(10)) {
            value.erase(value.begin());
        } else {
            change(random, random_part(random, value));
        }
    }
    // A changed byte may have broken a longer UTF-8 sequence.
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tests
