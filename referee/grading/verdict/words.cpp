#include "referee/grading/verdict/words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "protocol/base/overloaded.h"
#include "protocol/json/writer.h"
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
    return "game " + game.id + (game.map.empty() ? "" : " on " + game.map);
}

std::string end_of(const PlayedGame& game) {
    return game.story.empty() ? game.reason : game.story;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool is_last = i + 1 == names.size();
        text += (i == 0 ? "" : is_last ? " and " : ", ") + names[i];
    }
    return text;
}

namespace {

std::string of_score(const rubric::ScoreOf& rule) {
    const std::string where = rule.in_sum ? "All games together" : "Each game";
    const std::string least = rule.share == 1
                                  ? "no less than the score"
                                  : "at least " + number(rule.share * 100) + "% of the score";
    return where + (rule.in_sum ? " bring " : " brings ") + least + " of " + rule.reference +
           (rule.in_sum ? " in the same games." : " in the same game.");
}

}  // namespace

std::string criterion_of(const rubric::Step& step) {
    return std::visit(
        base::Overloaded{
            [](const rubric::Faultless&) {
                return std::string(
                    "In no game the program does anything wrong: every move comes in time and is "
                    "legal, and it doesn't crash.");
            },
            [](const rubric::Wins& rule) {
                return "At least " + count(rule.at_least, "game") +
                       (rule.at_least == 1 ? " is won." : " are won.");
            },
            [](const rubric::EachWin&) {
                return std::string("Each game that is won gives an equal share of the points.");
            },
            [](const rubric::AverageScore& rule) {
                return "The average score of all games is at least " + number(rule.at_least) + '.';
            },
            [](const rubric::ScoreOf& rule) { return of_score(rule); },
            [](const rubric::ShareOf& rule) {
                return "The points are given in proportion, in all games together: what was "
                       "reached (" +
                       rule.reached + ") of what could be reached (" + rule.attainable + ").";
            },
            [](const rubric::Always& rule) {
                return "In every game the outcome says: " + rule.member + '.';
            },
            [](const rubric::IsAsGood&) {
                return std::string(
                    "The program plays about as well as its opponents, or better: matches are "
                    "played until a sequential test is sure of it, or of the contrary.");
            },
            [](const rubric::Place& rule) {
                std::vector<std::string> points;
                for (const auto each : rule.points) points.push_back(number(each));
                return "The places of a tournament, from the first on, give " + listed(points) +
                       " points.";
            },
            [](const rubric::Right& rule) {
                return rule.at_least == 0 ? std::string("What is printed is right for each input.")
                                          : "What is printed is right for at least " +
                                                count(rule.at_least, "input") + '.';
            },
            [](const rubric::EachRight&) {
                return std::string(
                    "Each input for which the right thing is printed gives an equal share of the "
                    "points.");
            },
        },
        step.rule);
}

}  // namespace referee::verdict
