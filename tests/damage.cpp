#include "tests/damage.h"

#include <limits>
#include <utility>

namespace tests {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t percent_of_text_damage = 10;
constexpr std::size_t damages_max = 3;

std::vector<Json> odd_values() {
    using Signed = std::numeric_limits<std::int64_t>;
    using Unsigned = std::numeric_limits<std::uint64_t>;
    return {nullptr,
            true,
            0,
            -1,
            1,
            2,
            -105,
            0.5,
            -0.5,
            1e300,
            -1e300,
            1e-300,
            Signed::min(),
            Signed::max(),
            Unsigned::max(),
            INT32_MIN,
            INT32_MAX,
            UINT32_MAX,
            UINT32_MAX + 1L,
            "",
            "x",
            "\n",
            "\xc3\xa4",
            "../x",
            Json::array(),
            Json::object(),
            Json::array({nullptr}),
            Json::array({1, 2, 3, 4, 5, 6, 7, 8, 9})};
}

void gather(Json& value, std::vector<Json*>& all) {
    all.push_back(&value);
    if (!value.is_structured()) return;
    for (auto& child : value) gather(child, all);
}

Json moved_a_little(const Json& value, Random& lots) {
    if (value.is_number_integer()) {
        const auto number = value.get<std::int64_t>();
        const auto by = static_cast<std::uint64_t>(number);
        const std::vector<std::uint64_t> near{0 - by, by + 1, by - 1, by * 1000, by * by};
        return static_cast<std::int64_t>(near[lots.below(near.size())]);
    }
    if (value.is_number_float()) return -value.get<double>();
    if (value.is_string()) return value.get<std::string>() + "x";
    return nullptr;
}

// The place of a member or an element, by number.
Json::iterator child_of(Json& value, Random& lots) {
    return std::next(value.begin(), static_cast<std::ptrdiff_t>(lots.below(value.size())));
}

void rename_one(Json& object, Random& lots) {
    const auto from = child_of(object, lots);
    const auto name = from.key() + "x";
    auto value = *from;
    object.erase(from);
    object[name] = std::move(value);
}

void damage_inside(Json& value, Random& lots) {
    switch (lots.below(4)) {
        case 0:
            value.erase(child_of(value, lots));
            return;
        case 1:
            if (value.is_object()) return rename_one(value, lots);
            value.push_back(Json(*child_of(value, lots)));
            return;
        case 2: {
            auto one = *child_of(value, lots);
            *child_of(value, lots) = std::move(one);
            return;
        }
        default:
            value.clear();
    }
}

std::string damaged_text(std::string text, Random& lots) {
    if (text.empty()) return "{";
    const auto at = lots.below(text.size());
    constexpr std::string_view bytes = " 0123456789+-.eE{}[],:\"\\\xff";
    switch (lots.below(3)) {
        case 0:
            text.resize(at);
            break;
        case 1:
            text[at] = bytes[lots.below(bytes.size())];
            break;
        default:
            text.insert(at, 1, bytes[lots.below(bytes.size())]);
    }
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// Most damage is done to the first line and the last, because these hold the most.
std::size_t some_line(const std::vector<std::string>& lines, Random& lots) {
    switch (lots.below(4)) {
        case 0:
            return 0;
        case 1:
            return lines.size() - 1;
        default:
            return lots.below(lines.size());
    }
}

void damage_one(std::vector<std::string>& lines, Random& lots) {
    const auto at = some_line(lines, lots);
    switch (lots.below(10)) {
        case 0:
            lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
            return;
        case 1:
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(lines[at]));
            return;
        case 2:
            std::swap(lines[at], lines[lots.below(lines.size())]);
            return;
        case 3:
            if (lots.chance(percent_of_text_damage)) lines.resize(at);
            return;
        default:
            lines[at] = damaged_json(lines[at], lots);
    }
}

}  // namespace

std::string damaged_json(const std::string& text, Random& lots) {
    auto value = Json::parse(text, nullptr, false);
    if (value.is_discarded() || lots.chance(percent_of_text_damage))
        return damaged_text(text, lots);
    std::vector<Json*> all;
    gather(value, all);
    auto& one = *all[lots.below(all.size())];
    if (one.is_structured() && !one.empty() && lots.chance(50)) {
        damage_inside(one, lots);
    } else if (lots.chance(30)) {
        one = moved_a_little(one, lots);
    } else {
        const auto odd = odd_values();
        one = odd[lots.below(odd.size())];
    }
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string damaged_lines(const std::string& text, Random& lots) {
    auto lines = lines_of(text);
    for (auto damages = 1 + lots.below(damages_max); damages > 0 && !lines.empty(); --damages)
        damage_one(lines, lots);
    std::string damaged;
    for (const auto& line : lines) damaged += line + '\n';
    return damaged;
}

}  // namespace tests
