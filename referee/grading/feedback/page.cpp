#include "referee/grading/feedback/page.h"

#include <algorithm>

#include "protocol/base/overloaded.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/series_words.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/chances.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

using rubric::Rubric;
using rubric::Series;
using rubric::Step;
using verdict::number;

std::string of_score(const rubric::ScoreOf& rule) {
    const std::string where = rule.in_sum ? "All games together" : "Each game";
    const std::string least = rule.share == 1
                                  ? "no less than the score"
                                  : "at least " + number(rule.share * 100) + "% of the score";
    return where + (rule.in_sum ? " bring " : " brings ") + least + " of " + rule.reference +
           (rule.in_sum ? " in the same games." : " in the same game.");
}

std::string how_decided(const Step& step) {
    return std::visit(
        base::Overloaded{
            [](const rubric::Faultless&) {
                return std::string(
                    "In no game the program does anything wrong: every move comes in time and is "
                    "legal, and it doesn't crash.");
            },
            [](const rubric::Wins& rule) {
                return "At least " + verdict::count(rule.at_least, "game") +
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
                                                verdict::count(rule.at_least, "input") + '.';
            },
            [](const rubric::EachRight&) {
                return std::string(
                    "Each input for which the right thing is printed gives an equal share of the "
                    "points.");
            },
        },
        step.rule);
}

std::string lateness_of(const Rubric& rubric) {
    if (!rubric.late) return "Lateness costs nothing.";
    const auto grace = rubric.late->grace > Duration::zero()
                           ? " The first " + verdict::length(rubric.late->grace) +
                                 " after the deadline cost nothing."
                           : std::string();
    if (rubric.late->zero) return "A late submission gets no points." + grace;
    return "Each day that has begun after the deadline costs " + number(rubric.late->points) +
           " points." + grace;
}

std::uint32_t games_judged_by(const Step& step, const Rubric& rubric) {
    std::uint32_t games = 0;
    for (const auto& id : step.series) {
        const auto* const series = rubric.series_named(id);
        const auto each = series == nullptr ? 0 : games_of(*series, rubric.game);
        if (each == 0) return 0;
        games += each;
    }
    return games;
}

// The titles of the steps that it needs, each in quotes.
std::string needs_of(const Step& step, const Rubric& rubric) {
    std::vector<std::string> titles;
    for (const auto& other : rubric.steps) {
        if (std::find(step.needs.begin(), step.needs.end(), other.id) != step.needs.end())
            titles.push_back('"' + other.title + '"');
    }
    return listed(titles);
}

std::string judged_of(const Step& step, const Rubric& rubric) {
    std::vector<std::string> all;
    for (const auto& id : step.series) {
        const auto* const series = rubric.series_named(id);
        if (series != nullptr) all.push_back(games_in_words(*series, rubric.game));
    }
    return all.size() < 2 ? listed(all) : "all of these: " + listed(all);
}

std::string series_of(const Series& series, const Rubric& rubric, For reader) {
    auto text = "- **" + in_markdown(series.id) +
                "**: " + in_markdown(games_in_words(series, rubric.game)) + ". " +
                in_markdown(terms_in_words(series, rubric.game)) + '\n';
    if (reader == For::student) return text;
    if (series.hidden) text += "  Hidden from students.\n";
    if (series.runs) return text + "  " + in_markdown(reference_in_words(*series.runs)) + "\n";
    return text + "  Set up by " + in_markdown(series.tournament) + "\n";
}

std::string code(const std::string& text) {
    return text.find('`') == std::string::npos ? '`' + text + '`' : "`` " + text + " ``";
}

// How what is handed in becomes a program; empty where each submission tells that.
std::string built_of(const rubric::Build& build) {
    std::string text;
    if (!build.command.empty()) text += " by " + code(build.command);
    if (!build.within.empty()) text += " in its folder " + code(build.within);
    if (build.time) text += ", within " + verdict::length(*build.time);
    if (build.memory_mb)
        text += std::string(build.time ? " and" : ",") + " with " +
                std::to_string(*build.memory_mb) + " MB";
    if (!text.empty()) text = " It is built" + text;
    if (!build.run.empty()) {
        std::string words;
        for (const auto& word : build.run) words += (words.empty() ? "" : " ") + word;
        text += (text.empty() ? " It" : ", and") + std::string(" runs as ") + code(words);
    }
    return text.empty() ? text : text + ".";
}

std::string played_of(const Rubric& rubric, For reader) {
    std::string text;
    bool hides = false;
    for (const auto& series : rubric.series) {
        hides = hides || series.hidden;
        if (!series.hidden || reader == For::instructor) text += series_of(series, rubric, reader);
    }
    if (hides && reader == For::student)
        text += rubric.has_games() ? "- Hidden games, which are known to the instructor alone.\n"
                                   : "- Hidden runs, which are known to the instructor alone.\n";
    return text.empty() ? "Nothing: all points come from elsewhere.\n" : text;
}

std::string step_of(const Step& step, const Rubric& rubric, For reader) {
    std::string text = "\n## " + in_markdown(step.title) + "\n\n" + number(step.points) +
                       " points" + (step.extra ? ", extra credit" : "") + ".";
    if (!step.group.empty())
        text += " Only the best of the steps of \"" + in_markdown(step.group) + "\" counts.";
    if (!step.needs.empty())
        text += " It gives nothing unless all points of " + in_markdown(needs_of(step, rubric)) +
                " are reached.";
    if (step.hidden && reader == For::student)
        return text +
               "\n\nHidden: how it is judged, and its games, are known to the instructor "
               "alone.\n";
    if (step.hidden) text += " Hidden from students.";
    text += "\n\n" + in_markdown(how_decided(step));
    if (!step.series.empty()) text += " Judged by " + in_markdown(judged_of(step, rubric)) + '.';
    text += "\n";
    const auto* const series =
        step.series.empty() ? nullptr : rubric.series_named(step.series.front());
    if (series == nullptr) return text;
    const auto chances = verdict::chances_of(step, *series, games_judged_by(step, rubric));
    return chances.empty() ? text : text + "\n" + in_markdown(chances) + "\n";
}

}  // namespace

std::string page_of(const Rubric& rubric, For reader) {
    auto text = "# " + in_markdown(rubric.title) + "\n\n" + number(rubric.points()) +
                " points in all. " +
                (rubric.pass > 0 ? number(rubric.pass) + " are enough to pass. " : std::string()) +
                lateness_of(rubric) +
                (rubric.has_games()
                     ? " All games together take at most " + verdict::length(rubric.time_max) + "."
                     : std::string()) +
                built_of(rubric.build) + "\n\n## What is played\n\n" + played_of(rubric, reader);
    for (const auto& step : rubric.steps) text += step_of(step, rubric, reader);
    return text;
}

}  // namespace referee::grading
