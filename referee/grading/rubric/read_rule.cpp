// How a step judges.

#include <cmath>

#include "referee/grading/rubric/sections.h"
#include "referee/limits.h"

namespace referee::rubric {
namespace {

constexpr std::uint32_t wins_most = 10'000;
constexpr double score_most = 1e9;
constexpr double share_least = 0.001;
// A reference may be beaten, by so much that nobody asks for more.
constexpr double share_most = 100;
constexpr std::size_t places_most = 100;

std::string needed_text(json::Reader& reader, std::string_view member, std::string_view example) {
    const auto given = reader.member(member);
    const auto text = given.text();
    if (text && text->empty()) given.expected("a text such as \"" + std::string(example) + '"');
    return std::string(text.value_or(""));
}

double needed_number(json::Reader& reader, std::string_view member, double least, double most) {
    return reader.member(member).number(least, most).value_or(most);
}

Place read_place(json::Reader& reader) {
    Place place;
    const auto list = reader.array("points", "[20, 10, 5]");
    if (list && (list.size() == 0 || list.size() > places_most))
        list.expected("points for 1 to " + std::to_string(places_most) + " places");
    for (const auto element : list.elements()) {
        const auto points =
            element.number(limits::rubric_points_min, limits::rubric_points_max).value_or(0);
        if (!place.points.empty() && points > place.points.back())
            element.wrong("a worse place gives more than a better one; expected them to fall");
        place.points.push_back(points);
    }
    return place;
}

Rule rule_from(std::size_t kind, json::Reader& reader) {
    switch (kind) {
        case 1: {
            Wins wins;
            const auto given = reader.member("at_least");
            wins.at_least = given.integer_of<std::uint32_t>({1, wins_most, "2"}).value_or(1);
            reader.integer("winnable", wins.winnable, 1, wins_most, "1");
            return wins;
        }
        case 2:
            return EachWin{};
        case 3:
            return AverageScore{needed_number(reader, "at_least", -score_most, score_most)};
        case 4: {
            ScoreOf rule{needed_text(reader, "reference", "right-hand")};
            reader.number("share", rule.share, share_least, share_most);
            reader.boolean("in_sum", rule.in_sum);
            return rule;
        }
        case 5: {
            ShareOf rule{"score", needed_text(reader, "attainable", "attainable")};
            reader.text("reached", rule.reached);
            return rule;
        }
        case 6:
            return Always{needed_text(reader, "member", "finished")};
        case 7:
            return IsAsGood{};
        case 8:
            return read_place(reader);
        case 9: {
            Right right;
            reader.integer("at_least", right.at_least, 1, limits::run_inputs_max, "18");
            return right;
        }
        case 10:
            return EachRight{};
        default:
            return Faultless{};
    }
}

}  // namespace

void read_rule(json::Reader& step, Step& into) {
    const auto object = step.object("rule", R"({"kind": "faultless"})");
    if (!object) return;
    json::Reader reader(object);
    const auto kind = reader.member("kind").word(rule_names());
    if (!kind) return;
    into.rule = rule_from(*kind, reader);
    reader.no_others();
}

}  // namespace referee::rubric
