#include "referee/grading/feedback/grade_reports.h"

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

using base::in_markdown;
using rubric::Rubric;
using rubric::Series;
using rubric::Step;
using verdict::number;

// Of a list more helps nobody: a board, a hundred seeds.
constexpr std::size_t listed_most = 12;

std::string in_words(json::View value) {
    if (!value) return {};
    if (const auto text = value.string()) return std::string(*text);
    if (!value.is_array() && !value.is_object()) return value.json_text();
    if (value.is_array() && value.size() > listed_most)
        return fmt::format("of {} parts", value.size());
    std::vector<std::string> parts;
    for (const auto [name, member] : value.members())
        parts.push_back(std::string(name) + ' ' + in_words(member));
    for (const auto element : value.elements()) parts.push_back(in_words(element));
    return base::listed(parts);
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
    const std::string lines = runs.check == Check::program
                                  ? "A program of the course checks what is printed"
                                  : "The lines are those of the course's own program";
    return "It reads an input from its standard input and prints the answer to its standard "
           "output, once for each input. " +
           lines + (runs.check == Check::any_order ? ", in any order" : "") +
           (runs.check == Check::program
                ? ""
                : "; blanks at the ends of lines and empty lines at the end don't count") +
           ". Time: " + number(std::chrono::duration<double>(runs.time).count()) + " s for each.";
}

std::string default_clock_in_words(const engines::DefaultClock& clock) {
    const auto time = [](std::int64_t us) { return number(static_cast<double>(us) / 1e6) + " s"; };
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

// Of an instructor alone: by what the runs are judged.
std::string reference_in_words(const rubric::Runs& runs) {
    auto text = "Expected is what " + base::joined(runs.reference, " ") +
                " prints, with the inputs of " + runs.inputs + '.';
    if (runs.check == rubric::Runs::Check::program)
        text += " Checked by " + base::joined(runs.checker, " ") + '.';
    return text;
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

class RubricPage {
 public:
    RubricPage(const Rubric& rubric, For reader)
        : rubric_(rubric), reader_(reader), rules_(games_.find(rubric.game)) {}

    std::string text() const {
        auto text = "# " + in_markdown(rubric_.title) + "\n\n" + number(rubric_.points()) +
                    " points in all. " +
                    (rubric_.pass > 0 ? number(rubric_.pass) + " are enough to pass. " : "") +
                    lateness_of(rubric_);
        if (rubric_.has_games())
            text += " All games together take at most " + verdict::length(rubric_.time_max) + ".";
        text += built_of(rubric_.build) + "\n\n## What is played\n\n" + played();
        for (const auto& step : rubric_.steps) text += part_of(step);
        return text;
    }

 private:
    // How many games a series has by its own match or, where it says nothing, by the game's; 0
    // where nobody knows.
    std::uint32_t games_of(const Series& series) const {
        if (series.as_good_as || series.runs) return 0;
        if (const auto stated = rubric::games_of(series); stated > 0) return stated;
        return rules_ == nullptr ? 0 : rules_->info().match.games;
    }

    // "10 games against dumb and smarter", "6 games, which right-hand plays as well"; "runs of
    // ./sb-read 8 10".
    std::string games_in_words(const Series& series) const {
        std::string text;
        if (series.runs) return "runs of " + base::joined(series.runs->command, " ");
        if (series.as_good_as) {
            text = "at most " + base::counted(series.as_good_as->matches_max, "match", "matches");
        } else {
            text = base::counted(games_of(series), "game");
        }
        if (!series.opponents.empty()) text += " against " + base::listed(series.opponents);
        if (!series.references.empty())
            text += ", which " + base::listed(series.references) +
                    (series.references.size() == 1 ? " plays" : " play") + " as well";
        return text;
    }

    // What a game of it begins from and how long a turn may take: "size 3. Time: 1 s of wall time
    // for each turn".
    std::string terms_in_words(const Series& series) const {
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
        if (root.find("clock")) {
            add("Time", in_words(root.find("clock")));
        } else if (rules_ != nullptr) {
            add("Time", default_clock_in_words(rules_->info().clock));
        }
        return text;
    }

    std::uint32_t games_judged_by(const Step& step) const {
        std::uint32_t games = 0;
        for (const auto* series : rubric_.judged_by(step)) {
            const auto each = games_of(*series);
            if (each == 0) return 0;
            games += each;
        }
        return games;
    }

    // The titles of the steps that it needs, each in quotes.
    std::string needs_of(const Step& step) const {
        std::vector<std::string> titles;
        for (const auto& other : rubric_.steps) {
            if (base::contains(step.needs, other.id)) titles.push_back('"' + other.title + '"');
        }
        return base::listed(titles);
    }

    std::string judged_of(const Step& step) const {
        std::vector<std::string> all;
        for (const auto* series : rubric_.judged_by(step)) all.push_back(games_in_words(*series));
        return all.size() < 2 ? base::listed(all) : "all of these: " + base::listed(all);
    }

    std::string series_of(const Series& series) const {
        auto text = "- **" + in_markdown(series.id) + "**: " + in_markdown(games_in_words(series)) +
                    ". " + in_markdown(terms_in_words(series)) + '\n';
        if (reader_ == For::student) return text;
        if (series.hidden) text += "  Hidden from students.\n";
        if (series.runs) return text + "  " + in_markdown(reference_in_words(*series.runs)) + "\n";
        return text + "  Set up by " + in_markdown(series.tournament) + "\n";
    }

    std::string played() const {
        std::string text;
        bool hides = false;
        for (const auto& series : rubric_.series) {
            hides = hides || series.hidden;
            if (!series.hidden || reader_ == For::instructor) text += series_of(series);
        }
        if (hides && reader_ == For::student)
            text += rubric_.has_games()
                        ? "- Hidden games, which are known to the instructor alone.\n"
                        : "- Hidden runs, which are known to the instructor alone.\n";
        return text.empty() ? "Nothing: all points come from elsewhere.\n" : text;
    }

    std::string part_of(const Step& step) const {
        std::string text = "\n## " + in_markdown(step.title) + "\n\n" + number(step.points) +
                           " points" + (step.extra ? ", extra credit" : "") + ".";
        if (!step.group.empty())
            text += " Only the best of the parts of \"" + in_markdown(step.group) + "\" counts.";
        if (!step.needs.empty())
            text += " It gives nothing unless all points of " + in_markdown(needs_of(step)) +
                    " are reached.";
        if (step.hidden && reader_ == For::student)
            return text +
                   "\n\nHidden: how it is judged, and its games, are known to the instructor "
                   "alone.\n";
        if (step.hidden) text += " Hidden from students.";
        text += "\n\n" + in_markdown(verdict::criterion_of(step));
        const auto judged = rubric_.judged_by(step);
        if (judged.empty()) return text + "\n";
        text += " Judged by " + in_markdown(judged_of(step)) + ".\n";
        const auto chances = verdict::chances_of(step, *judged.front(), games_judged_by(step));
        return chances.empty() ? text : text + "\n" + in_markdown(chances) + "\n";
    }

    const Rubric& rubric_;
    For reader_;
    engines::Registry games_;
    const engines::Game* rules_;  // of the rubric's game; null: unknown
};

}  // namespace

std::string page_of(const Rubric& rubric, For reader) {
    return RubricPage(rubric, reader).text();
}

}  // namespace referee::feedback
