#include "referee/grading/verdict/words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "referee/grading/rubric/rubric.h"
#include "referee/limits.h"

namespace referee::verdict {

std::string number(double value) {
    std::string text;
    protocol::json::Writer(text).real(rubric::hundredths(value));
    return text;
}

std::string percent(double share) {
    constexpr double whole = 100;
    auto percents = std::round(share * whole);
    if (share < 1) percents = std::min(percents, whole - 1);
    if (share > 0) percents = std::max(percents, 1.0);
    return number(percents) + '%';
}

std::string count(std::size_t many, std::string_view noun) {
    return std::to_string(many) + ' ' + std::string(noun) + (many == 1 ? "" : "s");
}

std::string length(Duration duration) {
    struct Unit {
        std::string_view name;
        Duration length;
    };
    static constexpr std::array<Unit, 4> units{{{" d", std::chrono::hours(24)},
                                                {" h", std::chrono::hours(1)},
                                                {" min", std::chrono::minutes(1)},
                                                {" s", std::chrono::seconds(1)}}};
    std::string text;
    std::size_t told = 0;
    for (const auto& unit : units) {
        const auto many = duration / unit.length;
        duration -= many * unit.length;
        if (told > 0) ++told;
        if (many == 0) continue;
        text += (text.empty() ? "" : " ") + std::to_string(many) + std::string(unit.name);
        if (++told > 2) break;
    }
    return text.empty() ? "less than 1 s" : text;
}

std::string tail_of(std::string_view text) {
    if (text.size() <= limits::feedback_output_bytes_max) return std::string(text);
    auto tail = text.substr(text.size() - limits::feedback_output_bytes_max);
    const auto line = tail.find('\n');
    if (line != std::string_view::npos && tail.find_first_not_of('\n', line) != std::string::npos)
        tail.remove_prefix(line + 1);
    return "...\n" + std::string(tail);
}

std::string in_game(const PlayedGame& game) {
    return "game " + game.id;
}

std::string end_of(const PlayedGame& game) {
    return game.story.empty() ? game.reason : game.story;
}

}  // namespace referee::verdict
