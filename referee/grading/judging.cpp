#include "referee/grading/judging.h"

#include "referee/grading/boards.h"
#include "referee/grading/grade_texts.h"
#include "referee/grading/grading_estimate.h"
#include "referee/grading/missing_programs.h"
#include "referee/grading/verdict/judge.h"
#include "referee/grading/verdict/printed_lines.h"
#include "referee/grading/verdict/words.h"
#include "referee/version.h"

namespace referee::grading {
namespace {

// Why a series was not played to its end, where that is for the time: the program's matter
// where its own thinking took it, and nobody's else.
void tell_time(const GradeSources& of, const std::string& player, verdict::PlayedSeries& series) {
    const auto own = of.records.own_time(of.plan, player);
    const auto most = of.rubric.time_max;
    if (own >= most) {
        series.trouble.reset();
        series.cut_short = "its games took longer than the " + verdict::length(most) +
                           " that the rubric allows: the program itself thought for " +
                           verdict::length(own) + ", so not all of them were played";
    } else if (of.run.out_of_time.contains(player)) {
        series.trouble = verdict::GameTrouble{
            "not all games are played: " + verdict::length(most * time_in_all_factor) +
            " of games were over, of which the program itself thought for " + verdict::length(own)};
    }
}

void add_references(const GradeSources& of, const std::string& id, verdict::PlayedSeries& series) {
    for (const auto& planned : of.plan.series) {
        if (!planned.of_reference || planned.series != id) continue;
        auto played = of.records.played(of.plan, planned);
        if (played.trouble && !series.trouble)
            series.trouble = verdict::GameTrouble{"the reference " + planned.player + ": " +
                                                  played.trouble->reason};
        series.references.emplace(planned.player, std::move(played.games));
    }
}

verdict::Played played_by(const GradedSubmission& submission, const GradeSources& of,
                          std::set<std::string>& to_try_again) {
    verdict::Played played;
    played.unplayable = submission.unplayable;
    if (const auto never = of.run.never_started.find(submission.player);
        never != of.run.never_started.end())
        played.unplayable = "it can't be launched: " + never->second;
    played.place_known = of.places.known();
    played.place = of.places.of(submission.name);
    played.place_shared_by = of.places.shared_by(played.place);
    played.placed = of.places.many();
    const auto not_seen = of.run.not_seen.find(submission.player);
    const bool is_seen = not_seen == of.run.not_seen.end();
    for (const auto& planned : of.plan.series) {
        if (planned.of_reference || planned.player != submission.player) continue;
        auto series = of.records.played(of.plan, planned);
        const auto& id = of.plan.config.tournaments[planned.tournament].id;
        if (!is_seen) series.trouble = verdict::GameTrouble{"it can't start: " + not_seen->second};
        // Another try, where this one came to its end and yet shows nothing.
        if (series.trouble && of.records.finished(id)) to_try_again.insert(without_tries(id));
        if (!of.records.finished(id) && series.cut_short.empty() && is_seen)
            tell_time(of, submission.player, series);
        add_references(of, planned.series, series);
        played.series.emplace(planned.series, std::move(series));
    }
    if (!submission.lack.empty()) {
        for (const auto& series : of.rubric.series)
            played.series[series.id].trouble = verdict::GameTrouble{submission.lack};
    }
    for (const auto& series : of.rubric.series) {
        if (series.runs) played.series[series.id] = of.tools.played(submission, series.id);
    }
    return played;
}

// Tells students, who know no login, why a program ended that saw no turn of any game, by the last
// line that it wrote, so that no line may tell of a hidden game. True of one that may speak no
// protocol, ended well and wrote no such line: perhaps it was started as another kind than it is.
bool add_last_words(verdict::Played& played, bool is_silent) {
    constexpr std::string_view ended = "its process ended before it logged in: ";
    constexpr std::string_view well = "exit status 0";
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            if (game.turns > 0) return false;
        }
    }
    bool in_doubt = false;
    for (auto& [id, series] : played.series) {
        for (auto& game : series.games) {
            for (auto& fault : game.faults) {
                auto& message = fault.message;
                const auto text = fault.evidence.stderr_tail.value_or("");
                const auto line = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
                if (const auto at = message.find(ended); at != std::string::npos) {
                    message.erase(0, at + ended.size());
                    const bool is_well = is_silent && line.empty() && message.starts_with(well);
                    in_doubt |= is_well;
                    message.replace(0, is_well ? well.size() : 0,
                                    is_well ? "the program ended by itself, without an error, "
                                              "before its first move"
                                            : "the program ended before its first move: ");
                }
                if (!line.empty())
                    message += "; the last line on its standard error is " +
                               verdict::quoted_line(
                                   std::string_view(line).substr(line.find_last_of('\n') + 1));
            }
        }
    }
    return in_doubt;
}

void set_program(const GradeSources& of, const std::string& player, verdict::Grade& grade) {
    for (const auto& planned : of.plan.series) {
        if (planned.of_reference || planned.player != player) continue;
        const auto program =
            of.records.program_of(of.plan.config.tournaments[planned.tournament], planned.player);
        if (program.program.empty() && program.sandbox.empty()) continue;
        grade.program = program.program;
        grade.sandbox = program.sandbox;
    }
    if (!grade.program.empty() || !grade.sandbox.empty()) return;
    const auto tool = of.tools.program_of(grade.name);
    grade.program = tool.program;
    grade.sandbox = tool.sandbox;
}

}  // namespace

MadeGrade grade_of(const GradedSubmission& submission, const GradeSources& of) {
    MadeGrade made;
    auto played = played_by(submission, of, made.to_try_again);
    made.is_silent = may_speak_no_protocol(submission, played, of.rubric.game);
    const bool in_doubt = add_last_words(played, made.is_silent);
    auto& grade = made.grade = verdict::judge(of.rubric, played, submission.late_by);
    grade.in_doubt = in_doubt;
    if (made.is_silent)
        grade.to_explain.insert(grade.to_explain.begin(), "for you alone: it never logged in: " +
                                                              hint_of_kind(of.rubric.game));
    grade.name = submission.name;
    grade.students = submission.students;
    grade.version = version;
    grade.machine = machine_name();
    grade.standard_error = verdict::last_words(played);
    grade.build_output = submission.build_output;
    set_program(of, submission.player, grade);
    for (const auto& bot : of.plan.config.bots) {
        if (bot.name == submission.player) add_boards(played, bot, of.records.games(), grade);
    }
    shorten_paths(grade, submission);
    return made;
}

}  // namespace referee::grading
