// What a step is: points for one thing, and how it judges.

#include <algorithm>
#include <cmath>

#include "protocol/base/text.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/rubric/rubric_sections.h"

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

// A rule without members.
template <typename Kind>
void read(json::Reader& /*reader*/, Kind& /*rule*/) {}

void read(json::Reader& reader, Wins& rule) {
    const auto given = reader.member("at_least");
    rule.at_least = given.integer_of<std::uint32_t>({1, wins_most, "2"}).value_or(1);
    reader.integer("winnable", rule.winnable, 1, wins_most, "1");
}

void read(json::Reader& reader, AverageScore& rule) {
    rule.at_least = reader.member("at_least").number(-score_most, score_most).value_or(score_most);
}

void read(json::Reader& reader, ScoreOf& rule) {
    rule.reference = needed_text(reader, "reference", "right-hand");
    reader.number("share", rule.share, share_least, share_most);
    reader.boolean("in_sum", rule.in_sum);
}

void read(json::Reader& reader, ShareOf& rule) {
    rule.attainable = needed_text(reader, "attainable", "attainable");
    reader.text("reached", rule.reached);
}

void read(json::Reader& reader, Always& rule) {
    rule.member = needed_text(reader, "member", "finished");
}

void read(json::Reader& reader, Place& rule) {
    const auto list = reader.array("points", "[20, 10, 5]");
    if (list && (list.size() == 0 || list.size() > places_most))
        list.expected(fmt::format("points for 1 to {} places", places_most));
    for (const auto element : list.elements()) {
        const auto points = element.number(rubric_points_min, rubric_points_max).value_or(0);
        if (!rule.points.empty() && points > rule.points.back())
            element.wrong("a worse place gives more than a better one; expected them to fall");
        rule.points.push_back(points);
    }
}

void read(json::Reader& reader, Right& rule) {
    reader.integer("at_least", rule.at_least, 1, run_inputs_max, "18");
}

template <std::size_t... Kinds>
Rule read_rule_of(std::size_t kind, json::Reader& reader, std::index_sequence<Kinds...> /*all*/) {
    Rule rule;
    static_cast<void>(((Kinds == kind && (read(reader, rule.emplace<Kinds>()), true)) || ...));
    return rule;
}

// The rule of a step; of a Place also the step's points.
void read_rule(json::Reader& step, Step& into) {
    const auto object = step.object("rule", R"({"kind": "faultless"})");
    if (!object) return;
    json::Reader reader(object);
    const auto kind = reader.member("kind").word(rule_names());
    if (!kind) return;
    into.rule = read_rule_of(*kind, reader, std::make_index_sequence<std::variant_size_v<Rule>>());
    reader.no_others();
}

void read_points(json::Reader& reader, Step& step) {
    const auto* const place = std::get_if<Place>(&step.rule);
    const auto best = place != nullptr && !place->points.empty() ? place->points.front() : 0;
    const auto given = place == nullptr ? reader.member("points") : reader.optional("points");
    if (!given) {
        step.points = best;
        if (place == nullptr) given.number(rubric_points_min, rubric_points_max);
        return;
    }
    const auto points = given.number(rubric_points_min, rubric_points_max);
    if (!points) return;
    step.points = hundredths(*points);
    if (std::abs(step.points - *points) > rubric_points_min / rubric_points_max)
        given.expected("points of at most two decimals, such as 2.5");
    if (place != nullptr && step.points != best)
        given.expected("the points of the first place, or none");
}

void check_series(json::Reader& reader, const Rubric& rubric, const Step& step) {
    std::vector<std::string> known;
    for (const auto& series : rubric.series) known.push_back(series.id);
    for (const auto& id : step.series) {
        if (rubric.series_named(id) == nullptr)
            reader.wrong("series", "no series has the id \"" + id +
                                       "\"; expected some of: " + in_quotes(known));
    }
    const bool is_place = std::holds_alternative<Place>(step.rule);
    if (is_place && !step.series.empty())
        reader.wrong("series",
                     "a place is that of a tournament which was played elsewhere; expected no "
                     "series beside the rule \"place\"");
    if (!is_place && step.series.empty())
        reader.wrong("series", "expected the series whose games it judges, such as " +
                                   (known.empty() ? "\"against-dumb\"" : '"' + known[0] + '"'));
}

void read_one_step(json::Reader& reader, Rubric& rubric) {
    Step step;
    step.id = read_id(reader, "legal");
    const auto same = [&](const Step& other) { return other.id == step.id; };
    if (!step.id.empty() && std::ranges::any_of(rubric.steps, same))
        reader.wrong("id", "two steps have the id \"" + step.id + "\"; expected different ids");
    step.title = read_title(reader, "all moves are legal");
    const auto before = reader.mistakes().count();
    read_rule(reader, step);
    const bool rule_is_good = reader.mistakes().count() == before;
    step.series = read_names(reader, "series");
    if (rule_is_good) check_series(reader, rubric, step);
    read_points(reader, step);
    reader.text("group", step.group);
    if (reader.has("group") && step.group.empty())
        reader.wrong("group", "expected a text such as \"phase 1\", or no such member");
    step.needs = read_names(reader, "needs");
    reader.boolean("extra", step.extra);
    reader.boolean("hidden", step.hidden);
    for (const auto* series : rubric.judged_by(step)) step.hidden |= series->hidden;
    reader.no_others();
    rubric.steps.push_back(std::move(step));
}

}  // namespace

void read_steps(const json::Placed& list, Rubric& rubric) {
    if (list && list.size() == 0) list.wrong("expected at least one step");
    if (list.size() > rubric_steps_max) {
        list.wrong(
            fmt::format("expected at most {} steps, found {}", rubric_steps_max, list.size()));
        return;
    }
    for (const auto element : list.elements()) {
        if (element.object(R"({"id": "legal", "title": "...", "points": 21, ...})")) {
            json::Reader reader(element);
            read_one_step(reader, rubric);
        } else {
            rubric.steps.emplace_back();  // so that each keeps its index
        }
    }
}

}  // namespace referee::rubric
