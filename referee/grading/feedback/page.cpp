#include "referee/grading/feedback/page.h"

#include "protocol/base/overloaded.h"
#include "referee/grading/feedback/escaped.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/verdict/chances.h"
#include "referee/grading/verdict/words.h"

namespace referee::grading {
namespace {

using rubric::Rubric;
using rubric::Series;
using rubric::Step;
using verdict::number;

std::string how_decided(const Step& step) {
    return std::visit(
        base::Overloaded{
            [](const rubric::Faultless&) {
                return std::string("No fault in any game: every move comes in time and is legal.");
            },
            [](const rubric::Wins& rule) {
                return "At least " + verdict::count(rule.at_least, "game") + " won.";
            },
            [](const rubric::EachWin&) {
                return std::string("Each won game gives its share of the points.");
            },
            [](const rubric::AverageScore& rule) {
                return "An average score of at least " + number(rule.at_least) + '.';
            },
            [](const rubric::ScoreOf& rule) {
                return "At least " + number(rule.share) + " of the score of " + rule.reference +
                       (rule.in_sum ? " in the sum of all games." : " in each game.");
            },
            [](const rubric::ShareOf& rule) {
                return "The share that is reached (" + rule.reached + ") of what can be reached (" +
                       rule.attainable + ").";
            },
            [](const rubric::Always& rule) { return "\"" + rule.member + "\" in every game."; },
            [](const rubric::IsAsGood&) {
                return std::string("As good as the opponents, by a sequential test.");
            },
            [](const rubric::Place& rule) {
                std::string points;
                for (const auto each : rule.points)
                    points += (points.empty() ? "" : ", ") + number(each);
                return "By place in the tournament: " + points + " points.";
            },
        },
        step.rule);
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string lateness_of(const Rubric& rubric) {
    if (!rubric.late) return "Lateness costs nothing.";
    const auto grace = rubric.late->grace > Duration::zero()
                           ? " " + verdict::length(rubric.late->grace) + " are free."
                           : std::string();
    if (rubric.late->zero) return "A late submission gets no points." + grace;
    return "Each day that has begun after the deadline costs " + number(rubric.late->points) +
           " points." + grace;
}

std::uint32_t games_of(const Step& step, const Rubric& rubric) {
    std::uint32_t games = 0;
    for (const auto& id : step.series) {
        if (const auto* const series = rubric.series_named(id)) games += rubric::games_of(*series);
    }
    return games;
}

std::string series_of(const Series& series) {
    std::string text = "- **" + in_markdown(series.id) + "**: ";
    if (series.as_good_as) {
        text += "at most " + std::to_string(series.as_good_as->matches_max) +
                (series.as_good_as->matches_max == 1 ? " match" : " matches");
    } else {
        const auto games = rubric::games_of(series);
        text +=
            games == 0 ? "as many games as a match of the game has" : verdict::count(games, "game");
    }
    if (!series.opponents.empty()) text += " against " + in_markdown(listed(series.opponents));
    if (!series.references.empty())
        text += ", which " + in_markdown(listed(series.references)) + " play as well";
    return text + ".\n";
}

std::string step_of(const Step& step, const Rubric& rubric, For reader) {
    std::string text = "\n## " + in_markdown(step.title) + "\n\n" + number(step.points) +
                       " points" + (step.extra ? ", extra credit" : "") + ".";
    if (step.hidden && reader == For::student) return text + " Hidden.\n";
    if (step.hidden) text += " Hidden from students.";
    if (!step.group.empty())
        text += " Of the steps of \"" + in_markdown(step.group) + "\" the best counts.";
    text += "\n\n" + in_markdown(how_decided(step));
    if (!step.series.empty()) text += " Games: " + in_markdown(listed(step.series)) + '.';
    if (!step.needs.empty()) text += " Needs: " + in_markdown(listed(step.needs)) + '.';
    text += "\n";
    if (const auto* const series =
            step.series.empty() ? nullptr : rubric.series_named(step.series.front())) {
        const auto chances = verdict::chances_of(step, *series, games_of(step, rubric));
        if (!chances.empty()) text += "\n" + in_markdown(chances) + "\n";
    }
    return text;
}

}  // namespace

std::string page_of(const Rubric& rubric, For reader) {
    std::string text = "# " + in_markdown(rubric.title) + "\n\n" + number(rubric.points()) +
                       " points; " + number(rubric.pass) + " pass. " + lateness_of(rubric) +
                       " All games together take at most " + verdict::length(rubric.time_max) +
                       ".\n\n## What is played\n\n";
    for (const auto& series : rubric.series) {
        if (series.hidden && reader == For::student) continue;
        text += series_of(series);
        if (reader == For::instructor)
            text += "  Set up by " + in_markdown(series.tournament) + "\n";
    }
    for (const auto& step : rubric.steps) text += step_of(step, rubric, reader);
    return text;
}

}  // namespace referee::grading
