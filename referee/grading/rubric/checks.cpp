// What can be seen only where all series and steps are known.

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "engines/game.h"
#include "protocol/base/find.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/rubric/rubric_sections.h"

namespace referee::rubric {

namespace {

using MemberKind = engines::DetailMember::Is;

constexpr std::string_view score_member = "score";
constexpr std::string_view attainable_member = "attainable";
// Either says that a game for one player is won.
constexpr std::array<std::string_view, 2> says_won{"win", "finished"};

// Whether the game can tell what no play scores more than, seen by its default params.
bool tells_attainable(const engines::Game& game) {
    const auto params = game.params_for(game.info().seats_default);
    json::Document document;
    return params && document.parse(*params) && game.attainable(document.root()).has_value();
}

std::vector<std::string> members_of(const engines::Game& game, MemberKind kind) {
    std::vector<std::string> members;
    for (const auto& member : game.info().detail) {
        if (member.is == kind) members.emplace_back(member.name);
    }
    if (kind == MemberKind::truth) return members;
    for (const auto more : {score_member, attainable_member}) {
        const bool is_known = more == score_member || tells_attainable(game);
        if (is_known && !base::contains(members, more)) members.emplace_back(more);
    }
    return members;
}

std::string why_not_member(const engines::Game& game, const std::string& member, MemberKind kind) {
    if (member.empty()) return {};  // told already
    const auto known = members_of(game, kind);
    if (base::contains(known, member)) return {};
    const std::string what = kind == MemberKind::truth ? "truth" : "number";
    const auto title = std::string(game.info().title);
    if (known.empty())
        return "no outcome of " + title + " has a " + what +
               " that a rule can ask for, such as \"" + member +
               "\"; expected another kind of rule";
    const auto near = base::nearest(member, known);
    return "no outcome of " + title + " has a " + what + " \"" + member + "\"" +
           base::did_you_mean(near) + (near.empty() ? "; expected" : " Expected") +
           " one of: " + in_quotes(known);
}

std::string why_no_wins(const engines::GameInfo& game) {
    const auto says = [](const engines::DetailMember& member) {
        return base::contains(says_won, member.name);
    };
    if (game.seats_max > 1 || std::ranges::any_of(game.detail, says)) return {};
    return "no game of " + std::string(game.title) +
           " is ever won: it has one player, and its outcome says neither \"win\" nor "
           "\"finished\"; expected a rule about scores, such as \"average_score\"";
}

// Why the rule can judge no game of this kind: it names a member that no outcome's detail has, or
// asks for wins where nothing says who has won. Empty where it can.
std::string why_not_in(const engines::Game& game, const Rule& rule) {
    return std::visit(
        base::Overloaded{
            [&](const Always& always) {
                return why_not_member(game, always.member, MemberKind::truth);
            },
            [&](const ShareOf& share) {
                auto why = why_not_member(game, share.attainable, MemberKind::number);
                return why.empty() ? why_not_member(game, share.reached, MemberKind::number) : why;
            },
            [&](const Wins&) { return why_no_wins(game.info()); },
            [&](const EachWin&) { return why_no_wins(game.info()); },
            [](const auto&) { return std::string(); },
        },
        rule);
}

std::string why_not_wins(const Wins& rule, const std::vector<const Series*>& judged) {
    if (rule.winnable > 0 && rule.at_least > rule.winnable)
        return fmt::format("asks for {} wins where only {} can be had; expected at most as many",
                           rule.at_least, rule.winnable);
    std::uint64_t games = 0;
    for (const auto* series : judged) {
        const auto stated = games_of(*series);
        if (stated == 0) return {};
        games += stated;
    }
    if (rule.winnable > games)
        return fmt::format(
            "says that {} of {} games can be won; expected at most as many as \"match\" has",
            rule.winnable, games);
    if (rule.at_least <= games) return {};
    return fmt::format(
        "asks for {} wins of {} games; expected at most as many wins as \"match\" has games",
        rule.at_least, games);
}

std::string why_not_score_of(const ScoreOf& rule, const std::vector<const Series*>& judged) {
    if (rule.reference.empty()) return {};  // told already
    for (const auto* series : judged) {
        const auto& known = series->references;
        if (!base::contains(known, rule.reference))
            return "\"" + rule.reference + "\" is no reference of the series \"" + series->id +
                   "\"; expected some of: " + in_quotes(known);
    }
    return {};
}

// Why the rule doesn't fit the series; empty where it does.
std::string why_not(const Rule& rule, const std::vector<const Series*>& judged) {
    for (const auto* series : judged) {
        if (series->runs && !is_of_runs(rule))
            return "\"" + std::string(name_of(rule)) + "\" judges games, and the series \"" +
                   series->id +
                   "\" has \"runs\"; expected \"right\" or \"each_right\", such as {\"kind\": "
                   "\"right\", \"at_least\": 18}";
        if (!series->runs && is_of_runs(rule))
            return "\"" + std::string(name_of(rule)) + "\" judges runs, and the series \"" +
                   series->id +
                   "\" has games; expected a rule of games, such as {\"kind\": \"faultless\"}, or "
                   "a series with \"runs\"";
    }
    const bool any_number_does = std::holds_alternative<Faultless>(rule) ||
                                 std::holds_alternative<Always>(rule) ||
                                 std::holds_alternative<IsAsGood>(rule);
    for (const auto* series : judged) {
        if (series->as_good_as && !any_number_does)
            return "the series \"" + series->id +
                   "\" has \"as_good_as\", so nobody knows how many games it has; expected "
                   "\"is_as_good\", \"faultless\" or \"always\", or another series";
    }
    return std::visit(
        base::Overloaded{
            [&](const Wins& wins) { return why_not_wins(wins, judged); },
            [&](const ScoreOf& score_of) { return why_not_score_of(score_of, judged); },
            [&](const IsAsGood&) {
                const bool has_test = judged.size() == 1 && judged[0]->as_good_as;
                return std::string(has_test ? ""
                                            : "expected one series that has \"as_good_as\" beside "
                                              "the rule \"is_as_good\"");
            },
            [](const auto&) { return std::string(); },
        },
        rule);
}

// The way from a step back to itself over what each needs; empty where there is none.
std::vector<std::string> circle_of(const std::string& start, const Rubric& rubric) {
    std::map<std::string_view, const Step*> steps;
    for (const auto& step : rubric.steps) steps.emplace(step.id, &step);
    std::map<std::string, std::string> came_from;
    std::vector<std::string> open{start};
    while (!open.empty()) {
        const auto at = open.back();
        open.pop_back();
        const auto found = steps.find(at);
        if (found == steps.end()) continue;
        for (const auto& need : found->second->needs) {
            if (need == start) {
                std::vector<std::string> way{start};
                for (auto step = at; step != start; step = came_from[step]) way.push_back(step);
                way.push_back(start);
                std::ranges::reverse(way);
                return way;
            }
            if (came_from.emplace(need, at).second) open.push_back(need);
        }
    }
    return {};
}

// `check` is called with each step and its members.
template <typename Check>
void for_each_step(const json::Placed& steps, const Rubric& rubric, Check check) {
    std::size_t i = 0;
    for (const auto element : steps.elements()) {
        if (i >= rubric.steps.size()) return;
        const auto& step = rubric.steps[i++];
        if (!element.view().is_object()) continue;
        json::Reader reader(element);
        check(step, reader);
    }
}

}  // namespace

void check_rules(const json::Placed& steps, const RubricContext& around, const Rubric& rubric) {
    for_each_step(steps, rubric, [&](const Step& step, json::Reader& reader) {
        if (auto why = around.game == nullptr ? std::string() : why_not_in(*around.game, step.rule);
            !why.empty())
            reader.wrong("rule", std::move(why));
        const auto judged = rubric.judged_by(step);
        if (judged.empty() || judged.size() < step.series.size()) return;  // told already
        if (auto why = why_not(step.rule, judged); !why.empty())
            reader.wrong("rule", std::move(why));
    });
}

void check_needs(const json::Placed& steps, const Rubric& rubric) {
    std::vector<std::string> known;
    for (const auto& step : rubric.steps) known.push_back(step.id);
    std::vector<std::string> told;  // steps whose circle is told already
    for_each_step(steps, rubric, [&](const Step& step, json::Reader& reader) {
        for (const auto& need : step.needs) {
            if (!base::contains(known, need))
                reader.wrong("needs", "no step has the id \"" + need +
                                          "\"; expected some of: " + in_quotes(known));
        }
        if (base::contains(told, step.id)) return;
        const auto circle = circle_of(step.id, rubric);
        if (circle.empty()) return;
        reader.wrong("needs", "a circle, so none of these can be passed: " +
                                  base::joined(circle, " needs "));
        told.insert(told.end(), circle.begin(), circle.end());
    });
}

void check_groups(const json::Placed& steps, const Rubric& rubric) {
    std::map<std::string_view, bool> is_extra;
    for_each_step(steps, rubric, [&](const Step& step, json::Reader& reader) {
        if (step.group.empty()) return;
        const auto [first, is_new] = is_extra.emplace(step.group, step.extra);
        if (!is_new && first->second != step.extra)
            reader.wrong("group", "of the steps of \"" + step.group +
                                      "\" some are extra credit and some are not; expected one of "
                                      "both, because only the best counts");
    });
}

void check_use_of_series(const json::Placed& series, const Rubric& rubric) {
    std::size_t i = 0;
    for (const auto element : series.elements()) {
        if (i >= rubric.series.size()) return;
        const auto& id = rubric.series[i++].id;
        const auto judges = [&](const Step& step) { return base::contains(step.series, id); };
        if (!id.empty() && std::ranges::none_of(rubric.steps, judges))
            element.wrong("no step judges the series \"" + id +
                          "\"; expected one, or no such series");
    }
}

}  // namespace referee::rubric
