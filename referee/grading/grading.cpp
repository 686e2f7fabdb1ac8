#include "referee/grading/grading.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <filesystem>
#include <ostream>
#include <set>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "referee/files/file.h"
#include "referee/files/log/log.h"
#include "referee/files/text_table.h"
#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/games/played_records.h"
#include "referee/grading/submission_grade.h"
#include "referee/grading/verdict/phrases.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "referee/run/tournament_run.h"
#include "referee/store/store.h"
#include "referee/tournament/config_limits.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;

constexpr const char* log_name = "/grading.log";

std::string lines_of(const std::vector<std::string>& texts, const std::string& before) {
    return base::safe_for_ci_log(base::joined(
        texts, "\n", [&](const auto& text) { return before + base::visible_line(text); }));
}

std::string dry_run_cell(const verdict::StepGrade& step) {
    const auto points = verdict::number(step.points);
    if (step.verdict == verdict::StepVerdict::not_counted) return "(" + points + ")";
    return step.verdict == verdict::StepVerdict::trouble ? "not judged" : points;
}

// A line a bot: its points, the points of each step, how long its games took.
std::string dry_run_table(const std::vector<verdict::Grade>& grades,
                          const std::map<std::string, Duration>& spans) {
    std::vector<files::Cells> rows{{"bot", "points"}};
    if (!grades.empty()) {
        for (const auto& step : grades.front().steps) rows.front().push_back(step.step);
    }
    rows.front().emplace_back("time");
    for (const auto& grade : grades) {
        const bool named = grade.name.starts_with(graded_prefix);
        files::Cells row{named ? grade.name.substr(graded_prefix.size()) : grade.name,
                         verdict::number(grade.points) + " of " + verdict::number(grade.of)};
        for (const auto& step : grade.steps) row.push_back(dry_run_cell(step));
        const auto span = spans.find(grade.name);
        row.push_back(span == spans.end() ? "none played" : verdict::length(span->second));
        rows.push_back(std::move(row));
    }
    return base::safe_for_ci_log(files::table_text(rows) +
                                 "\n(in brackets: another step of its group gives no less)\n");
}

bool was_stopped(const Ending& ending) {
    return ending.status == exit_interrupt || ending.status == exit_terminate;
}

// One grading, from the rubric's text to the files.
class Grading {
 public:
    Grading(const GradingOptions& options, std::ostream& screen)
        : options_(options),
          screen_(screen),
          out_(fs::absolute(options.out).lexically_normal().string()),
          games_(out_ + "/games"),
          submissions_(options.submissions) {}

    Ending grade() {
        if (auto wrong = prepare(); wrong.status != exit_done) {
            // What an earlier grading left must not be taken for this one's.
            if (wrong.status == exit_bad_input) remove_extra(options_.extra);
            return wrong;
        }
        remove_extra(options_.extra);
        if (auto wrong = read_into(records_); wrong.status != exit_done) return wrong;
        tell_plan();
        const auto runs = run_tools();
        if (was_stopped(runs)) return runs;
        auto played = play();
        if (played.status == exit_done) played = runs;
        if (was_stopped(played)) return played;
        if (auto wrong = read_into(records_); wrong.status != exit_done) return wrong;
        judge_all();
        if (const auto trouble = write_tries(tries_file(), tries_); !trouble.empty())
            return {exit_trouble, trouble};
        if (const auto trouble = write_files(); !trouble.empty()) return {exit_trouble, trouble};
        tell_grades();
        return ending(played);
    }

 private:
    Ending prepare() {
        auto rubric = read_rubric_file(options_.rubric);
        if (!rubric) return {exit_bad_input, lines_of(rubric.error(), "")};
        rubric_ = *std::move(rubric);
        auto places = read_places(options_.standings);
        if (!places) return {exit_bad_input, places.error()};
        places_ = *std::move(places);
        if (options_.dry_run)
            submissions_ = reference_submissions(rubric_, folder_of_rubric(options_.rubric));
        name_players(rubric_, submissions_);
        if (auto wrong = mistake_in_folder(options_.out, options_.foreign_folders); !wrong.empty())
            return {exit_bad_input, wrong};
        auto taken = take_folder(out_);
        if (!taken) return {exit_trouble, taken.error()};
        folder_lock_ = *std::move(taken);
        if (const auto going = log::go_on_in(out_ + log_name); !going)
            return {exit_trouble, going.error()};
        auto tries = read_tries(tries_file());
        if (!tries) return {exit_bad_input, tries.error()};
        tries_ = *std::move(tries);
        if (auto wrong = make_plan(); wrong.status != exit_done) return wrong;
        return plan_tools();
    }

    Ending plan_tools() {
        auto plan = tool_plan_of(rubric_, folder_of_rubric(options_.rubric));
        if (!plan) return {exit_bad_input, lines_of(plan.error(), options_.rubric + ": ")};
        tools_.emplace(*std::move(plan), submissions_,
                       ToolTerms{out_, options_.single, lanes(), options_.unsandboxed});
        const auto wrong = tools_->prepare();
        return wrong.empty() ? Ending{} : Ending{exit_bad_input, wrong};
    }

    Ending run_tools() {
        const auto ending = tools_->run();
        if (ending.status == exit_done) return {};
        log::error("{}", ending.message);
        return {ending.status, ending.message + to_go_on(". To go on:")};
    }

    // Submissions that this machine can't play are left out, and found by a first plan. Without a
    // sandbox a program may have changed its own folder.
    Ending make_plan() {
        if (auto wrong = plan_all(); wrong.status != exit_done) return wrong;
        bool all = true;
        for (auto& submission : submissions_) {
            if (!options_.unsandboxed) submission.change = change_of_collected(submission);
            submission.lack = submission.change.empty() ? lack_for(submission) : submission.change;
            all = all && submission.lack.empty();
        }
        return all ? Ending{} : plan_all();
    }

    Ending plan_all() {
        const PlanTerms terms{folder_of_rubric(options_.rubric), games_, lanes(), tries_};
        auto plan = plan_of(rubric_, submissions_, terms);
        if (!plan) return {exit_bad_input, lines_of(plan.error(), options_.rubric + ": ")};
        plan_ = *std::move(plan);
        return {};
    }

    std::string lack_for(const GradedSubmission& submission) const {
        for (const auto& bot : plan_.config.bots) {
            if (bot.name != submission.player) continue;
            const auto lack = supply::lack_of_machine({bot, process::program_search_path()});
            return lack.empty() && submission.is_collected ? lack_of_collected(bot) : lack;
        }
        return {};
    }

    // No more submissions play at once than there are cores, since each launched bot has one.
    std::size_t lanes() const {
        return std::clamp<std::size_t>(tournament::thinking_cores({}), 1,
                                       std::max<std::size_t>(submissions_.size(), 1));
    }

    void tell_plan() {
        if (options_.quiet) return;
        // A store that can't be read is told when it is to be played with.
        const auto played = estimate::times_in(store_file());
        say(base::safe_for_ci_log(estimate_of(rubric_, plan_, submissions_.size(), lanes(),
                                              played ? *played : estimate::PlayedTimes())) +
            tools_->plan().estimate(submissions_.size(), lanes()));
    }

    void say(const std::string& text) { screen_ << text << std::flush; }

    // Whether the screen may not tell all: its reader may be the student of the grade, and the
    // rubric hides something.
    bool is_discreet() const {
        const auto hides = [](const auto& part) { return part.hidden; };
        return options_.single && !options_.instructor &&
               (std::ranges::any_of(rubric_.series, hides) ||
                std::ranges::any_of(rubric_.steps, hides));
    }

    Ending play() {
        if (plan_.series.empty()) return {};
        run::RunOptions options;
        options.out = games_;
        options.resume = options_.resume;
        options.shown = options_.quiet ? run::Shown::nothing : run::Shown::numbers;
        options.terminal = options_.terminal;
        options.unsandboxed = options_.unsandboxed;
        options.beside_others = true;
        for (const auto& submission : submissions_) {
            options.dispensable.insert(submission.player);
            options.time_limits[submission.player] = {rubric_.time_max,
                                                      rubric_.time_max * time_in_all_factor,
                                                      records_.own_time(plan_, submission.player)};
        }
        options.unanswered = records_.unanswered(plan_);
        boost::asio::thread_pool writer(1);
        options.on_over = [&](const std::string& tournament) {
            boost::asio::post(writer, [this, tournament] { write_done(tournament); });
        };
        run_ = run::run_tournaments(plan_.config, options, screen_);
        writer.stop();
        writer.join();
        // What bots did wrong is the grades' matter.
        if (run_.status == exit_done) return {};
        if (was_stopped(run_) || !is_discreet()) return {run_.status, run_.message};
        log::error("{}", run_.message);
        return {run_.status, "not all games could be played, by no fault of the program; " + out_ +
                                 log_name + " tells why." + to_go_on(" To go on:")};
    }

    // Nothing where nothing is kept.
    std::string to_go_on(const std::string& words) const {
        return options_.resume.empty() ? std::string() : words + "\n  " + options_.resume;
    }

    std::string tries_file() const { return out_ + "/tries.json"; }
    std::string store_file() const {
        return games_ + "/" + std::string(store::name_in_output_folder);
    }

    Ending read_into(PlayedRecords& records) const {
        records = PlayedRecords(games_);
        if (!files::is_there(store_file())) return {};
        const auto read = store::read_history(
            store_file(), [&records](const auto& record) { records.take(record); });
        return read ? Ending{} : Ending{exit_trouble, read.error().message};
    }

    GradeSources sources(const PlayedRecords& records, const run::RunEnding& run) const {
        return {rubric_, plan_, places_ ? &*places_ : nullptr, *tools_, records, run};
    }

    void judge_all() {
        for (const auto& submission : submissions_) {
            auto made = grade_of(submission, sources(records_, run_));
            for (const auto& tournament : made.to_try_again) ++tries_[tournament];
            if (made.is_silent) silent_.push_back(submission.name);
            grades_.push_back(std::move(made.grade));
        }
    }

    bool is_done(const GradedSubmission& submission) const {
        return std::ranges::all_of(plan_.series, [&](const auto& planned) {
            const auto& id = plan_.config.tournaments[planned.tournament].id;
            return (!planned.of_reference && planned.player != submission.player) ||
                   over_.contains(id) || records_.finished(id);
        });
    }

    // While others still play, and beside the loop: writes the grades of those whose games are
    // over. What can't be judged yet, or written, comes at the end.
    void write_done(const std::string& tournament) {
        over_.insert(tournament);
        std::vector<const GradedSubmission*> done;
        for (const auto& submission : submissions_) {
            if (is_done(submission) && tried_.insert(submission.name).second)
                done.push_back(&submission);
        }
        if (done.empty()) return;
        PlayedRecords records;
        if (read_into(records).status != exit_done) return;
        const run::RunEnding nothing_yet;
        for (const auto* submission : done) {
            const auto grade = grade_of(*submission, sources(records, nothing_yet)).grade;
            // Whether a program that never came could be seen in its sandbox is known at the end.
            const bool is_sure = grade.final() && !(submission->is_played() && grade.never_played);
            if (is_sure) static_cast<void>(write_grade(folder_of(grade), grade));
        }
    }

    std::string folder_of(const verdict::Grade& grade) const {
        return options_.single ? out_ : out_ + "/" + files::folder_name_of(grade.name);
    }

    std::string write_files() const {
        for (const auto& grade : grades_) {
            if (auto trouble = write_grade(folder_of(grade), grade); !trouble.empty())
                return trouble;
        }
        if (!options_.single) {
            if (auto trouble = write_class(out_, grades_); !trouble.empty()) return trouble;
        }
        return write_extra(options_.extra, grades_);
    }

    void tell_grades() {
        if (options_.dry_run) {
            say('\n' + dry_run_table(grades_, run_.spans));
        } else if (options_.single && !options_.quiet) {
            const auto reader =
                options_.instructor ? feedback::For::instructor : feedback::For::student;
            say('\n' + feedback::text_of(grades_.front(), reader));
        } else if (options_.single) {
            const auto& grade = grades_.front();
            say(base::safe_for_ci_log(grade.name + ": " + feedback::headline_of(grade) + "\n"));
        } else {
            say('\n' + feedback::class_text_of(grades_));
        }
        if (!options_.single && !options_.dry_run && !places_ &&
            std::ranges::any_of(rubric_.steps, is_of_place))
            say("note: no points for places: expected a tournament's standings.json with "
                "--standings\n");
        if (!silent_.empty())
            say(base::safe_for_ci_log("warning: " + base::listed(silent_) +
                                      " never logged in: " + hint_of_kind(rubric_.game) + '\n'));
        const auto hides = [](const auto& series) { return series.hidden; };
        const auto unboxed = [](const auto& grade) { return grade.sandbox == "none"; };
        if (std::ranges::any_of(rubric_.series, hides) && std::ranges::any_of(grades_, unboxed))
            say("warning: without a sandbox nothing keeps a program from reading what the rubric "
                "hides\n");
    }

    Ending ending(const Ending& played) const {
        if (played.status != exit_done) return played;
        std::vector<std::string> troubles;
        for (const auto& grade : grades_) {
            for (const auto& trouble : grade.troubles)
                troubles.push_back(grade.name + ": " + trouble);
        }
        if (!troubles.empty())
            return {exit_trouble,
                    lines_of(troubles, "not graded to the end: ") +
                        to_go_on(what_is_missing(grades_, rubric_, places_.has_value()) +
                                 " To go on:")};
        const bool all_well = std::ranges::all_of(grades_, [&](const auto& grade) {
            return grade.final() && (grade.passed || !options_.single);
        });
        return {all_well ? exit_done : exit_no, {}};
    }

    const GradingOptions& options_;
    std::ostream& screen_;
    std::string out_;
    std::string games_;
    rubric::Rubric rubric_;
    std::optional<verdict::TournamentPlaces> places_;
    Tries tries_;
    std::vector<GradedSubmission> submissions_;
    files::Descriptor folder_lock_;  // keeps other gradings off
    Plan plan_;
    std::optional<ToolRuns> tools_;  // none before it is planned
    run::RunEnding run_;
    PlayedRecords records_;
    // Of the thread beside the loop: tournaments of this run, and submissions.
    std::set<std::string> over_;
    std::set<std::string> tried_;
    std::vector<verdict::Grade> grades_;
    std::vector<std::string> silent_;  // that may speak no protocol
};

}  // namespace

base::Result<rubric::Rubric, std::vector<std::string>> read_checked_rubric(
    const std::string& file) {
    auto rubric = read_rubric_file(file);
    if (!rubric) return rubric;
    const auto folder = folder_of_rubric(file);
    GradedSubmission stand_in;
    stand_in.name = "submission";
    stand_in.bot = R"({"launch": ["submission"]})";
    std::vector all{stand_in};
    name_players(*rubric, all);
    std::vector<std::string> mistakes;
    const auto add = [&](const std::vector<std::string>& more) {
        for (const auto& mistake : more) mistakes.push_back(file + ": " + mistake);
    };
    if (const auto plan = plan_of(*rubric, all, {folder, folder, 1, {}}); !plan) add(plan.error());
    if (const auto plan = tool_plan_of(*rubric, folder); !plan) add(plan.error());
    if (const auto wrong = mistake_in_kind(rubric->build); !wrong.empty()) add({wrong});
    if (!mistakes.empty()) return base::failure(std::move(mistakes));
    return rubric;
}

Ending grade(const GradingOptions& options, std::ostream& screen) {
    return Grading(options, screen).grade();
}

}  // namespace referee::grading
