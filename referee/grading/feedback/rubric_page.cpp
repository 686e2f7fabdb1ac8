#include "referee/grading/feedback/grade_reports.h"

#include <algorithm>

#include "engines/registry.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "referee/grading/verdict/pass_probability.h"
#include "referee/grading/verdict/phrases.h"

// What is played for a rubric, in words.

namespace referee::feedback {

namespace {

namespace json = protocol::json;

// Of a list more helps nobody: a board, a hundred seeds.
constexpr std::size_t listed_most = 12;

std::string in_words(json::View value);

std::string members_in_words(json::View object) {
    std::vector<std::string> members;
    for (const auto [name, value] : object.members())
        members.push_back(std::string(name) + ' ' + in_words(value));
    return base::listed(members);
}

std::string in_words(json::View value) {
    if (!value) return {};
    if (const auto text = value.string()) return std::string(*text);
    if (value.is_object()) return members_in_words(value);
    if (!value.is_array()) return value.json_text();
    if (value.size() > listed_most) return fmt::format("of {} parts", value.size());
    std::vector<std::string> elements;
    for (const auto element : value.elements()) elements.push_back(in_words(element));
    return base::listed(elements);
}

// Names of maps where each setup is one, else what each setup says.
std::string setups_in_words(json::View setups) {
    std::vector<std::string> all;
    for (const auto setup : setups.elements()) {
        const auto map = verdict::map_named_in(setup);
        all.push_back(map && setup.size() == 1 ? std::string(*map) : in_words(setup));
        if (all.back().find('\n') != std::string::npos) return "maps of its own";
    }
    return base::listed(all);
}

std::string run_terms_in_words(const rubric::Runs& runs) {
    using Check = rubric::Runs::Check;
    std::string text =
        "It reads an input from its standard input and prints the answer to its standard output, "
        "once for each input. ";
    if (runs.check == Check::same_lines) text += "The lines are those of the course's own program";
    if (runs.check == Check::any_order)
        text += "The lines are those of the course's own program, in any order";
    if (runs.check == Check::program) text += "A program of the course checks what is printed";
    if (runs.check != Check::program)
        text += "; blanks at the ends of lines and empty lines at the end don't count";
    return text + ". Time: " + verdict::number(std::chrono::duration<double>(runs.time).count()) +
           " s for each.";
}

std::string default_clock_in_words(const engines::DefaultClock& clock) {
    const auto time = [](std::int64_t us) {
        return verdict::number(static_cast<double>(us) / 1e6) + " s";
    };
    const std::string of =
        clock.measure == base::Measure::cpu ? " of processor time" : " of wall time";
    switch (clock.kind) {
        case base::ClockKind::turn:
            return time(clock.budget_us) + of + " for each turn";
        case base::ClockKind::game:
            return time(clock.budget_us) + of + " for the whole game";
        default:
            return "as the game's rules say, and at most " + time(clock.hard_limit_us) +
                   " for each turn";
    }
}

// How many games a series has by its own match or, where it says nothing, by the game's; 0 where
// nobody knows.
std::uint32_t games_of(const rubric::Series& series, const std::string& game) {
    if (series.as_good_as || series.runs) return 0;
    if (const auto stated = rubric::games_of(series); stated > 0) return stated;
    const engines::Registry registry;
    const auto* const rules = registry.find(game);
    return rules == nullptr ? 0 : rules->info().match.games;
}

// "10 games against dumb and smarter", "6 games, which right-hand plays as well"; of runs "runs of
// ./sb-read 8 10".
std::string games_in_words(const rubric::Series& series, const std::string& game) {
    std::string text;
    if (series.runs) return "runs of " + base::joined(series.runs->command, " ");
    if (series.as_good_as) {
        text = "at most " + base::counted(series.as_good_as->matches_max, "match");
        if (series.as_good_as->matches_max != 1) text.insert(text.size() - 1, "e");
    } else {
        text = base::counted(games_of(series, game), "game");
    }
    if (!series.opponents.empty()) text += " against " + base::listed(series.opponents);
    if (!series.references.empty())
        text += ", which " + base::listed(series.references) +
                (series.references.size() == 1 ? " plays" : " play") + " as well";
    return text;
}

// Of an instructor alone: by what the runs are judged.
std::string reference_in_words(const rubric::Runs& runs) {
    auto text = "Expected is what " + base::joined(runs.reference, " ") +
                " prints, with the inputs of " + runs.inputs + '.';
    if (runs.check == rubric::Runs::Check::program)
        text += " Checked by " + base::joined(runs.checker, " ") + '.';
    return text;
}

// What a game of it begins from and how long a turn may take: "size 3. Time: 1 s of wall time for
// each turn".
std::string terms_in_words(const rubric::Series& series, const std::string& game) {
    if (series.runs) return run_terms_in_words(*series.runs);
    json::Document document;
    if (!document.parse(series.tournament)) return {};
    const auto root = document.root();
    std::string text;
    const auto add = [&](std::string_view heading, const std::string& words) {
        if (words.empty()) return;
        text += (text.empty() ? "" : " ") + std::string(heading) + ": " + words + '.';
    };
    add("Params", in_words(root.find("params")));
    add("Begun from", setups_in_words(root.find("setups")));
    if (const auto seeds = root.find("match").find("seeds").size(); seeds > 0)
        add("Seeds", fmt::format("the same {} for everybody", seeds));
    const engines::Registry registry;
    const auto* const rules = registry.find(game);
    if (root.find("clock")) {
        add("Time", in_words(root.find("clock")));
    } else if (rules != nullptr) {
        add("Time", default_clock_in_words(rules->info().clock));
    }
    return text;
}

using base::in_markdown;
using rubric::Rubric;
using rubric::Series;
using rubric::Step;
using verdict::number;

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
    for (const auto* series : rubric.judged_by(step)) {
        const auto each = games_of(*series, rubric.game);
        if (each == 0) return 0;
        games += each;
    }
    return games;
}

// The titles of the steps that it needs, each in quotes.
std::string needs_of(const Step& step, const Rubric& rubric) {
    std::vector<std::string> titles;
    for (const auto& other : rubric.steps) {
        if (base::contains(step.needs, other.id)) titles.push_back('"' + other.title + '"');
    }
    return base::listed(titles);
}

std::string judged_of(const Step& step, const Rubric& rubric) {
    std::vector<std::string> all;
    for (const auto* series : rubric.judged_by(step))
        all.push_back(games_in_words(*series, rubric.game));
    return all.size() < 2 ? base::listed(all) : "all of these: " + base::listed(all);
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
std::string built_of(const rubric::RubricBuild& build) {
    std::string text;
    if (!build.command.empty()) text += " by " + code(build.command);
    if (!build.within.empty()) text += " in its folder " + code(build.within);
    if (build.time) text += ", within " + verdict::length(*build.time);
    if (build.memory_mb)
        text +=
            fmt::format("{} with {} MB", std::string(build.time ? " and" : ","), *build.memory_mb);
    if (!text.empty()) text = " It is built" + text;
    if (!build.run.empty())
        text += (text.empty() ? " It" : ", and") + std::string(" runs as ") +
                code(base::joined(build.run, " "));
    if (!build.kind.empty())
        text += std::string(text.empty() ? " It" : ". It") + " is a program of the kind " +
                code(build.kind) + ", which speaks no protocol";
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
        text += " Only the best of the parts of \"" + in_markdown(step.group) + "\" counts.";
    if (!step.needs.empty())
        text += " It gives nothing unless all points of " + in_markdown(needs_of(step, rubric)) +
                " are reached.";
    if (step.hidden && reader == For::student)
        return text +
               "\n\nHidden: how it is judged, and its games, are known to the instructor alone.\n";
    if (step.hidden) text += " Hidden from students.";
    text += "\n\n" + in_markdown(verdict::criterion_of(step));
    const auto judged = rubric.judged_by(step);
    if (judged.empty()) return text + "\n";
    text += " Judged by " + in_markdown(judged_of(step, rubric)) + ".\n";
    const auto chances = verdict::chances_of(step, *judged.front(), games_judged_by(step, rubric));
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

}  // namespace referee::feedback
