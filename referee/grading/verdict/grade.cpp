#include "referee/grading/verdict/grade.h"

#include <algorithm>

#include "engines/registry.h"
#include "protocol/base/find.h"
#include "protocol/base/overloaded.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/grading/verdict/rules.h"

namespace referee::verdict {

namespace {

// What a submission that came so long after the deadline loses of its points, in words; it loses no
// more than there are.
void take_off_for_lateness(const rubric::Rubric& rubric, Duration late_by, Grade& grade) {
    if (late_by <= Duration::zero()) return;
    const auto grace = rubric.late ? rubric.late->grace : Duration::zero();
    const auto free = length(grace) + " that cost nothing";
    grade.late = late_by > grace;
    constexpr auto day = Duration(std::chrono::hours(24));
    const auto whole_days = (late_by - grace - Duration(1)) / day;
    // What comes so little after a day has ended that it reads as the end of that day.
    const auto end = grace + whole_days * day;
    const bool is_just_over =
        grade.late && end > Duration::zero() && length(end) == length(late_by);
    grade.lateness =
        (is_just_over ? "came more than " : "came ") + length(late_by) + " after the deadline";
    if (!rubric.late) {
        grade.lateness += ", which costs nothing";
    } else if (!grade.late) {
        grade.lateness += ", within the " + free;
    } else if (rubric.late->zero) {
        grade.late_cost = grade.points;
        grade.lateness += ": no points are given";
    } else {
        const auto days = static_cast<std::size_t>(whole_days) + 1;
        const auto each = rubric.late->points;
        grade.late_cost =
            std::min(rubric::hundredths(each * static_cast<double>(days)), grade.points);
        grade.lateness += ": " + base::counted(days, "day") + " begun" +
                          (grace > Duration::zero() ? " after the " + free : std::string()) + ", " +
                          number(each) + " points each";
    }
    grade.points = rubric::hundredths(grade.points - grade.late_cost);
}

using rubric::Rubric;
using rubric::Step;

// What the rule finds where all of its series were played.
Finding find_played(const Step& step, const Rubric& rubric, const Played& played) {
    Judged judged;
    for (const auto& id : step.series) {
        const auto* const found = base::find_in(played.series, id);
        if (found == nullptr) return in_trouble("the series " + id + " was not played");
        const auto& series = *found;
        if (!series.cut_short.empty()) {
            auto finding = failed(series.cut_short);
            finding.in_kind = series.cut_short;
            advise_faults(finding, series.games);
            return finding;
        }
        if (!series.trouble.empty()) return in_trouble(series.trouble);
        if (series.games.empty() && series.runs.empty())
            return in_trouble("no game of the series " + id + " counts");
        judged.series.push_back(&series);
        for (const auto& run : series.runs) judged.runs.push_back({id + '/' + run.input, &run});
        for (const auto& game : series.games) judged.games.push_back(&game);
    }
    return std::visit(
        base::Overloaded{
            [&](const rubric::Place& place) { return find_place(place, step.extra, played); },
            [&](const rubric::IsAsGood&) {
                return find_test(*rubric.series_named(step.series.front()), judged);
            },
            [&](const auto& rule) { return find(rule, judged); },
        },
        step.rule);
}

// Finds each step, those first that it needs.
class Findings {
 public:
    Findings(const Rubric& rubric, const Played& played) : rubric_(rubric), played_(played) {
        for (const auto& step : rubric.steps) of(step);
    }
    const Finding& of(const Step& step) {
        if (const auto* const known = base::find_in(found_, step.id)) return *known;
        const bool is_judged = played_.unplayable.empty() || rubric::is_of_runs(step.rule) ||
                               std::holds_alternative<rubric::Place>(step.rule);
        auto finding = is_judged ? find_played(step, rubric_, played_) : failed(played_.unplayable);
        for (const auto& id : step.needs) {
            const auto needed = std::ranges::find(rubric_.steps, id, &Step::id);
            if (is_judged && needed != rubric_.steps.end()) take_away(finding, *needed);
        }
        return found_.emplace(step.id, std::move(finding)).first->second;
    }

 private:
    // The step gives nothing without the needed one.
    void take_away(Finding& finding, const Step& needed) {
        const auto& other = of(needed);
        if (other.passed() || finding.not_counted) return;
        const bool gives = !finding.trouble && finding.got > 0;
        if (other.trouble && !gives) return;  // nothing hangs on it
        finding.trouble = other.trouble;
        finding.got = 0;
        finding.needed = needed.title;
        // The other step has what comes first.
        if (!needed.needs.empty() || other.advice.contains(Advice::on_ends)) finding.advice.clear();
        finding.reason = "counts only with \"" + needed.title + "\", which " +
                         (other.trouble ? "could not be judged" : "is not passed") +
                         ". What its own games show: " + finding.reason;
    }

    const Rubric& rubric_;
    const Played& played_;
    std::map<std::string, Finding, std::less<>> found_;
};

StepVerdict verdict_of(const Finding& finding) {
    if (finding.trouble) return StepVerdict::trouble;
    if (finding.not_counted) return StepVerdict::not_counted;
    if (finding.passed()) return StepVerdict::passed;
    return finding.got > 0 ? StepVerdict::partly : StepVerdict::failed;
}

StepGrade graded(const Step& step, const Finding& finding, EarlierAdvice& told) {
    StepGrade grade;
    grade.step = step.id;
    grade.title = step.title;
    grade.criterion = criterion_of(step);
    grade.group = step.group;
    grade.of = step.points;
    grade.extra = step.extra;
    grade.hidden = step.hidden;
    grade.verdict = verdict_of(finding);
    grade.points = points_of(finding, step.points);
    grade.reason = finding.reason;
    for (const auto& [kind, lines] : finding.advice) {
        for (auto& [place, text] : first_of(kind, lines, step, told)) {
            if (base::contains(grade.advice, text)) continue;
            grade.advice.push_back(std::move(text));
            if (!place.id.empty()) grade.told.push_back(std::move(place));
        }
    }
    if (!finding.passed() && !finding.figures.empty()) grade.advice.push_back(finding.figures);
    grade.games = finding.games;
    grade.wrong_runs = finding.wrong_runs;
    grade.average = finding.average;
    return grade;
}

// Of each group the step with the most points counts. What could not be judged matters only where
// it could give more than that.
void settle_groups(std::vector<StepGrade>& steps) {
    std::map<std::string_view, StepGrade*> best;
    for (auto& step : steps) {
        if (step.group.empty() || step.verdict == StepVerdict::trouble) continue;
        auto& first = best[step.group];
        if (first == nullptr || step.points > first->points) first = &step;
    }
    for (auto& step : steps) {
        const auto found = best.find(step.group);
        if (found == best.end() || found->second == &step) continue;
        const bool open = step.verdict == StepVerdict::trouble && step.of > found->second->points;
        if (open || step.verdict == StepVerdict::failed) continue;
        step.verdict = StepVerdict::not_counted;
        step.reason +=
            "; of the parts of \"" + step.group + "\" one counts, and another gives no less";
    }
}

// Whether the program saw no turn of any game, and no input: it crashed at its start, or its login
// never came.
bool never_played(const Played& played) {
    const auto has_runs = [](const auto& entry) { return !entry.second.runs.empty(); };
    const auto saw_none = [](const PlayedGame* game) { return game->turns == 0; };
    return std::ranges::none_of(played.series, has_runs) &&
           std::ranges::all_of(played.games(), saw_none);
}

// `; "ann.s/2.1" is game 1 of match 2`.
std::string named_in_parts(const std::string& id) {
    const auto key = game_key(id);
    if (!key) return {};
    return fmt::format("; \"{}\" is game {} of match {}", id, key->number, key->match);
}

// Commands that show what cost points: of each step the first game, or the first input. Then what a
// reader of these parts may not know: how the game counts, and who is who.
void set_commands(const Rubric& rubric, const Played& played, Grade& grade) {
    const auto add = [](std::vector<std::string>& commands, const std::string& words) {
        if (!base::contains(commands, words)) commands.push_back(words);
    };
    std::vector<std::string> bots;
    bool shows_maps = false;
    for (std::size_t i = 0; i < grade.steps.size(); ++i) {
        const auto& step = grade.steps[i];
        if (!step.lacks_points() || step.hidden) continue;
        for (const auto* series : rubric.judged_by(rubric.steps[i])) {
            for (const auto& bot : series->opponents) add(bots, bot);
            for (const auto& bot : series->references) add(bots, bot);
        }
        for (const auto* game : played.games()) {
            if (step.games.empty() || game->id != step.games.front()) continue;
            if (grade.to_explain.empty())
                grade.to_see.push_back(
                    "The course keeps each game turn by turn, and can show it: ask for it by its "
                    "name" +
                    named_in_parts(game->id));
            add(grade.to_explain, "referee explain " + game->id +
                                      " --out games: that game turn by turn; to be called in the "
                                      "folder of all grades, which the course has");
            if (game->map.empty()) continue;
            shows_maps = true;
            add(grade.to_see, "referee maps " + grade.game + " --show " + game->map +
                                  ": what game " + game->id + " is played on");
        }
        for (const auto& [id, series] : played.series) {
            for (const auto& run : series.runs) {
                if (step.wrong_runs.empty() || id + '/' + run.input != step.wrong_runs.front())
                    continue;
                std::string command;
                for (const auto& word : rubric.series_named(id)->runs->command)
                    command += word + ' ';
                add(grade.to_see,
                    command + "< " + run.input + ": that run; " +
                        (run.given.empty() ? "the course has the file"
                                           : "what is to be in that file stands on this page"));
                if (!run.given.empty()) grade.inputs.emplace("The input " + run.input, run.given);
            }
        }
    }
    if (grade.to_explain.empty()) return;
    if (shows_maps)
        grade.to_see.emplace_back(
            "referee is the program that graded this: ask your course for it, as a package or as "
            "sources");
    const engines::Registry registry;
    const auto* const rules = registry.find(grade.game);
    if (rules != nullptr && !rules->info().counting.empty())
        grade.to_see.emplace_back(rules->info().counting);
    if (!bots.empty())
        grade.to_see.push_back(base::listed(bots) + (bots.size() == 1
                                                         ? " is the course's own program"
                                                         : " are the course's own programs"));
}

}  // namespace

Grade judge(const Rubric& rubric, const Played& played, Duration late_by) {
    Grade grade;
    grade.game = rubric.game;
    grade.rubric_title = rubric.title;
    grade.rubric_hash = rubric.hash;
    grade.of = rubric.points();
    grade.never_played = never_played(played);
    if (rubric.has_games()) grade.unplayable = played.unplayable;
    Findings findings(rubric, played);
    EarlierAdvice told;
    for (const auto& step : rubric.steps)
        grade.steps.push_back(graded(step, findings.of(step), told));
    settle_groups(grade.steps);
    for (std::size_t i = 0; i < rubric.steps.size(); ++i) {
        const auto& step = rubric.steps[i];
        if (!step.hidden) continue;
        const auto& finding = findings.of(step);
        auto& in_kind = grade.steps[i].in_kind;
        const auto add = [&in_kind](const std::string& more) {
            in_kind += (in_kind.empty() || more.empty() ? "" : "; ") + more;
        };
        if (!finding.needed.empty())
            add("counts only with \"" + finding.needed + "\", which is not passed");
        add(finding.in_kind);
        add(told_of_hidden(step, rubric, played));
    }
    set_commands(rubric, played, grade);
    for (const auto& step : grade.steps) {
        // A hidden step's reason is for the instructor, who finds it with the step.
        if (step.verdict == StepVerdict::trouble)
            grade.troubles.push_back(step.title + std::string(not_judged) +
                                     (step.hidden ? "" : ": " + step.reason));
        if (step.counts()) grade.points += step.points;
    }
    grade.points = rubric::hundredths(grade.points);
    take_off_for_lateness(rubric, late_by, grade);
    grade.passed = grade.points >= rubric.pass;
    grade.pass_mark = rubric.pass;
    return grade;
}

}  // namespace referee::verdict
