#include "referee/grading/submission_grade.h"

#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/roster/kinds/kind.h"
#include "referee/version.h"

namespace referee::grading {
namespace {

// Why a series was not played to its end, where that is for the time: the program's matter
// where its own thinking took it, and nobody's else.
void tell_time(const GradeSources& of, const std::string& player, verdict::PlayedSeries& series) {
    const auto own = of.records.own_time(of.plan, player);
    const auto most = of.rubric.time_max;
    if (own >= most) {
        series.trouble.clear();
        series.cut_short = "its games took longer than the " + verdict::length(most) +
                           " that the rubric allows: the program itself thought for " +
                           verdict::length(own) + ", so not all of them were played";
    } else if (of.run.out_of_time.contains(player)) {
        series.trouble = "not all games are played: " + verdict::length(most * time_in_all_factor) +
                         " of games were over, of which the program itself thought for " +
                         verdict::length(own);
    }
}

void add_references(const GradeSources& of, const std::string& id, verdict::PlayedSeries& series) {
    for (const auto& planned : of.plan.series) {
        if (!planned.of_reference || planned.series != id) continue;
        auto played = of.records.played(of.plan, planned);
        if (!played.trouble.empty() && series.trouble.empty())
            series.trouble = "the reference " + planned.player + ": " + played.trouble;
        series.references.emplace(planned.player, std::move(played.games));
    }
}

verdict::Played played_by(const GradedSubmission& submission, const GradeSources& of,
                          std::set<std::string>& to_try_again) {
    verdict::Played played;
    played.unplayable = submission.unplayable;
    const auto* const never = base::find_in(of.run.never_started, submission.player);
    const bool by_its_command = never != nullptr && never->by_its_command && !never->by_the_sandbox;
    const bool by_the_machine = never != nullptr && !by_its_command;  // nobody's zero
    if (by_its_command && !submission.is_built)
        played.unplayable = "it can't be launched: " + never->why;
    played.places = of.places;
    played.name = submission.name;
    for (const auto& planned : of.plan.series) {
        if (planned.of_reference || planned.player != submission.player) continue;
        auto series = of.records.played(of.plan, planned);
        const auto& id = of.plan.config.tournaments[planned.tournament].id;
        if (by_its_command && submission.is_built)
            series.trouble = "what was built of it can't be launched: " + never->why;
        // Where the sandbox hides what it needs, it forfeited the games; else they were not played.
        if (by_the_machine && (never->by_the_sandbox || !of.records.finished(id)))
            series.trouble = "it can't start: " + never->why;
        // Another try, where this one came to its end and yet shows nothing.
        if (!series.trouble.empty() && of.records.finished(id))
            to_try_again.insert(without_tries(id));
        if (!of.records.finished(id) && series.cut_short.empty() && !by_the_machine)
            tell_time(of, submission.player, series);
        add_references(of, planned.series, series);
        played.series.emplace(planned.series, std::move(series));
    }
    if (!submission.lack.empty()) {
        for (const auto& series : of.rubric.series)
            played.series[series.id].trouble = submission.lack;
    }
    for (const auto& series : of.rubric.series) {
        if (series.runs) played.series[series.id] = of.tools.played(submission, series.id);
    }
    return played;
}

// Tells students, who know no login, why a program ended that saw no turn of any game, by the last
// line that it wrote, so that no line may tell of a hidden game. Of the wrong kind may be one that
// may speak no protocol, ended well and wrote no such line.
verdict::Doubt add_last_words(verdict::Played& played, bool is_silent) {
    constexpr auto ended = fault_words::ended_before_login;
    constexpr std::string_view well = "exit status 0";
    const auto saw_a_turn = [](const auto* game) { return game->turns > 0; };
    auto doubt = verdict::Doubt::none;
    if (std::ranges::any_of(played.games(), saw_a_turn)) return doubt;
    for (auto& [id, series] : played.series) {
        for (auto& game : series.games) {
            for (auto& fault : game.faults) {
                auto& message = fault.message;
                const auto text = fault.evidence.stderr_tail.value_or("");
                const auto line = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
                if (const auto at = message.find(ended); at != std::string::npos) {
                    if (run::may_lack_a_program(fault)) doubt = verdict::Doubt::no_program;
                    message.erase(0, at + ended.size());
                    const bool is_well = is_silent && line.empty() && message.starts_with(well);
                    if (is_well) doubt = verdict::Doubt::wrong_kind;
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
    return doubt;
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

namespace fs = std::filesystem;

// Each with a slash at its end, the longest first.
std::vector<std::string> folders_of(const GradedSubmission& submission) {
    std::vector<std::string> folders;
    const auto add = [&folders](const fs::path& folder) {
        if (folder.is_absolute() && folder.has_relative_path())
            folders.push_back((folder / "").lexically_normal().string());
    };
    protocol::json::Document bot;
    if (!bot.parse(submission.bot)) return folders;
    const auto root = bot.root();
    const auto add_words = [&](protocol::json::View words) {
        for (const auto word : words.elements()) add(fs::path(word.text()).parent_path());
    };
    add(root.find("directory").text());
    add_words(root.find("launch"));
    add_words(root.find("program").find("command"));
    add(fs::path(root.find("program").find("file").text()).parent_path());
    std::ranges::sort(folders,
                      [](const auto& one, const auto& other) { return one.size() > other.size(); });
    return folders;
}

// Paths of this machine tell a student nothing: those in the submission's folder, or beside a file
// that its command names, begin there, so "/srv/class/ann/build/bot.py" is "bot.py".
void shorten_paths(verdict::Grade& grade, const GradedSubmission& submission) {
    const auto folders = folders_of(submission);
    const auto shorten = [&folders](std::string& text) {
        for (const auto& folder : folders) {
            for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
                text.erase(at, folder.size());
        }
    };
    for (auto* text :
         {&grade.unplayable, &grade.started_by, &grade.standard_error, &grade.build_output})
        shorten(*text);
    for (auto& line : grade.to_see) shorten(line);
    for (auto& step : grade.steps) {
        shorten(step.reason);
        shorten(step.in_kind);
        for (auto& line : step.advice) shorten(line);
    }
}

// Whether it may be a program in a handout's form that was launched as if it spoke the protocol: in
// no game it logged in, and for its game there are such programs.
bool may_speak_no_protocol(const GradedSubmission& submission, const verdict::Played& played,
                           const std::string& game) {
    const auto plays_it = [&game](const kinds::Kind& kind) { return kind.game == game; };
    const auto all = kinds::all_kinds();
    protocol::json::Document bot;
    if (std::ranges::none_of(all, plays_it) || !bot.parse(submission.bot) ||
        !bot.root().find("launch"))
        return false;
    const auto games = played.games();
    return !games.empty() && std::ranges::all_of(games, [](const auto* one) {
        return !one->faults.empty() && one->faults.front().rule == "match.no_show";
    });
}

// "lab-7, 8 cores, Linux 6.1.0".
std::string machine_in_words() {
    utsname system{};
    if (uname(&system) != 0) return "unknown";
    const auto cores = std::thread::hardware_concurrency();
    return fmt::format("{}, {}{}{} {}", system.nodename, cores, cores == 1 ? " core, " : " cores, ",
                       system.sysname, system.release);
}

}  // namespace

MadeGrade grade_of(const GradedSubmission& submission, const GradeSources& of) {
    MadeGrade made;
    auto played = played_by(submission, of, made.to_try_again);
    const auto* const never = base::find_in(of.run.never_started, submission.player);
    made.is_silent = (never == nullptr || never->by_the_sandbox) &&
                     may_speak_no_protocol(submission, played, of.rubric.game);
    const auto doubt = add_last_words(played, made.is_silent);
    auto& grade = made.grade = verdict::judge(of.rubric, played, submission.late_by);
    grade.doubt = doubt;
    if (doubt == verdict::Doubt::no_program) {
        made.is_silent = false;
        for (const auto& planned : of.plan.series) {
            if (!planned.of_reference && planned.player == submission.player)
                made.to_try_again.insert(
                    without_tries(of.plan.config.tournaments[planned.tournament].id));
        }
    }
    if (made.is_silent)
        grade.to_explain.insert(grade.to_explain.begin(), "for you alone: it never logged in: " +
                                                              hint_of_kind(of.rubric.game));
    grade.name = submission.name;
    grade.students = submission.students;
    grade.version = version;
    grade.machine = machine_in_words();
    grade.standard_error = verdict::last_words(played);
    grade.build_output = submission.build_output;
    set_program(of, submission.player, grade);
    for (const auto& bot : of.plan.config.bots) {
        if (bot.name != submission.player) continue;
        grade.started_by = base::joined(bot.launch, " ");
        add_boards(played, bot, of.records.games(), grade);
    }
    shorten_paths(grade, submission);
    return made;
}

bool is_of_place(const rubric::Step& step) {
    return std::holds_alternative<rubric::Place>(step.rule);
}

std::string what_is_missing(const std::vector<verdict::Grade>& grades, const rubric::Rubric& rubric,
                            bool places_known) {
    bool places = false;
    bool others = false;
    for (const auto& grade : grades) {
        for (std::size_t i = 0; i < grade.steps.size(); ++i)
            if (grade.steps[i].verdict == verdict::StepVerdict::trouble)
                (is_of_place(rubric.steps[i]) ? places : others) = true;
    }
    std::string words;
    if (others) words = "\nWhat is missing is played by the same command.";
    if (places)
        words += places_known ? "\nPlaces give points once their tournament is over."
                              : "\nPlaces give points by a tournament's standings.json: give it "
                                "with --standings.";
    return words;
}

std::string hint_of_kind(const std::string& game) {
    std::string kind;
    for (const auto& known : kinds::all_kinds()) {
        if (known.game == game) kind = known.name;
    }
    return "a program that reads and writes as a handout says speaks no protocol: where it is one, "
           "expected its kind in the rubric, \"build\": {\"kind\": \"" +
           kind + "\"}; or --bot " + kind + ":FILE, or collect --kind " + kind;
}

}  // namespace referee::grading
