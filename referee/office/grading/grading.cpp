#include "referee/office/grading/grading.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "protocol/json/document.h"
#include "protocol/json/in_log.h"
#include "protocol/json/printable.h"
#include "referee/arena/house/config_limits.h"
#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/grading/feedback/reports.h"
#include "referee/grading/feedback/shown.h"
#include "referee/grading/rubric/read_rubric.h"
#include "referee/grading/verdict/judge.h"
#include "referee/limits.h"
#include "referee/memory/store/store.h"
#include "referee/office/grading/grade_files.h"
#include "referee/office/grading/machine_name.h"
#include "referee/office/grading/places.h"
#include "referee/office/grading/plan.h"
#include "referee/office/grading/records.h"
#include "referee/office/grading/tries.h"
#include "referee/office/report/output_folder.h"
#include "referee/office/run/tournament_run.h"
#include "referee/version.h"

namespace referee::grading {
namespace {

namespace fs = std::filesystem;

std::string lines_of(const std::vector<std::string>& texts, const std::string& before) {
    std::string all;
    for (const auto& text : texts)
        all += (all.empty() ? "" : "\n") + before + protocol::json::visible_line(text);
    return protocol::json::in_log(all);
}

// What the program wrote to its standard error before its first fault, where that was kept.
std::string last_words(const verdict::Played& played) {
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) {
                if (fault.evidence.stderr_tail && !fault.evidence.stderr_tail->empty())
                    return *fault.evidence.stderr_tail;
            }
        }
    }
    return {};
}

// One grading, from the rubric's text to the files.
class Grading {
 public:
    Grading(const GradingOptions& options, std::ostream& screen)
        : options_(options),
          screen_(screen),
          out_(fs::absolute(options.out).lexically_normal().string()),
          games_(out_ + "/games"),
          tries_(out_ + "/tries.json") {}

    GradingEnding grade() {
        if (auto wrong = prepare(); wrong.status != exit_done) return wrong;
        tell_plan();
        auto played = play();
        if (played.status == exit_interrupt || played.status == exit_terminate) return played;
        if (auto wrong = read_records(); wrong.status != exit_done) return wrong;
        judge_all();
        if (const auto trouble = tries_.write(); !trouble.empty()) return {exit_trouble, trouble};
        if (const auto trouble = write_files(); !trouble.empty()) return {exit_trouble, trouble};
        tell_grades();
        return ending(played);
    }

 private:
    GradingEnding prepare() {
        const auto text = files::read_named_file(options_.rubric, limits::rubric_bytes_max);
        if (!text) return {exit_bad_input, options_.rubric + " " + text.error()};
        const auto folder = fs::absolute(options_.rubric).parent_path().string();
        auto read = rubric::read_rubric(*text, folder);
        if (!read) {
            std::vector<std::string> mistakes;
            for (const auto& mistake : read.error())
                mistakes.push_back(options_.rubric + ":" + std::to_string(mistake.line) + ": " +
                                   (mistake.path.empty() ? "" : mistake.path + ": ") +
                                   mistake.message);
            return {exit_bad_input, lines_of(mistakes, "")};
        }
        rubric_ = *std::move(read);
        if (auto wrong = places_.read(options_.standings); !wrong.empty())
            return {exit_bad_input, wrong};
        std::error_code error;
        fs::create_directories(games_, error);
        if (error) return {exit_trouble, games_ + ": " + error.message()};
        if (auto wrong = tries_.read(); !wrong.empty()) return {exit_bad_input, wrong};
        const PlanTerms terms{folder, games_, lanes(), tries_.counts()};
        auto plan = plan_of(rubric_, options_.submissions, terms);
        if (!plan) return {exit_bad_input, lines_of(plan.error(), options_.rubric + ": ")};
        plan_ = *std::move(plan);
        return {};
    }

    // No more submissions play at once than there are cores, since each launched bot has one.
    std::size_t lanes() const {
        return std::clamp<std::size_t>(house::thinking_cores({}), 1, options_.submissions.size());
    }

    void tell_plan() {
        if (options_.quiet) return;
        screen_ << rubric_.title << ": " << options_.submissions.size()
                << (options_.submissions.size() == 1 ? " submission" : " submissions") << ", "
                << plan_.series.size() << " series of games\n"
                << std::flush;
    }

    GradingEnding play() {
        if (plan_.series.empty()) return {};
        run::RunOptions options;
        options.out = games_;
        options.resume = options_.resume;
        options.shown = options_.quiet ? run::Shown::trouble : run::Shown::progress;
        options.terminal = options_.terminal;
        options.unsandboxed = options_.unsandboxed;
        options.beside_others = true;
        for (const auto& submission : options_.submissions)
            options.dispensable.insert(submission.name);
        auto ending = run::run_tournaments(plan_.config, options, screen_);
        never_started_ = std::move(ending.never_started);
        // What bots did wrong is the grades' matter.
        if (ending.status == exit_done) return {};
        return {ending.status, ending.message};
    }

    GradingEnding read_records() {
        const auto file = games_ + "/" + std::string(store::name_in_output_folder);
        std::error_code ignored;
        if (!fs::exists(file, ignored)) return {};
        auto reader = store::StoreReader::open(file);
        if (!reader) return {exit_trouble, reader.error().message};
        const auto read = reader->history(
            [this](const store::StoredRecord& stored) { records_.take(stored.record); });
        return read ? GradingEnding{} : GradingEnding{exit_trouble, read.error().message};
    }

    void judge_all() {
        for (const auto& submission : options_.submissions) {
            const auto played = played_by(submission);
            auto grade = verdict::judge(rubric_, played, submission.late_by);
            grade.name = submission.name;
            grade.students = submission.students;
            grade.rubric_title = rubric_.title;
            grade.rubric_hash = rubric_.hash;
            grade.version = version;
            grade.machine = machine_name();
            grade.standard_error = last_words(played);
            grade.build_output = submission.build_output;
            set_program(grade);
            grades_.push_back(std::move(grade));
        }
    }

    verdict::Played played_by(const Submission& submission) {
        verdict::Played played;
        played.unplayable = submission.unplayable;
        if (const auto never = never_started_.find(submission.name); never != never_started_.end())
            played.unplayable = "it can't be launched: " + never->second;
        played.place_known = places_.known();
        played.place = places_.of(submission.name);
        for (const auto& planned : plan_.series) {
            if (planned.of_reference || planned.player != submission.name) continue;
            auto series = records_.played(plan_, planned);
            const auto& id = plan_.config.tournaments[planned.tournament].id;
            // Another try, where this one came to its end and yet shows nothing.
            if (series.trouble && records_.finished(id)) tries_.count(without_tries(id));
            add_references(planned.series, series);
            played.series.emplace(planned.series, std::move(series));
        }
        return played;
    }

    void add_references(const std::string& id, verdict::PlayedSeries& series) const {
        for (const auto& planned : plan_.series) {
            if (!planned.of_reference || planned.series != id) continue;
            auto played = records_.played(plan_, planned);
            if (played.trouble && !series.trouble)
                series.trouble = verdict::Trouble{"the reference " + planned.player + ": " +
                                                  played.trouble->reason};
            series.references.emplace(planned.player, std::move(played.games));
        }
    }

    void set_program(verdict::Grade& grade) const {
        for (const auto& planned : plan_.series) {
            if (planned.of_reference || planned.player != grade.name) continue;
            const auto program =
                records_.program_of(plan_.config.tournaments[planned.tournament], planned.player);
            if (program.program.empty() && program.sandbox.empty()) continue;
            grade.program = program.program;
            grade.sandbox = program.sandbox;
        }
    }

    std::string write_files() const {
        for (const auto& grade : grades_) {
            const auto folder =
                options_.single ? out_ : out_ + "/" + report::folder_name_of(grade.name);
            if (auto trouble = write_grade(folder, grade); !trouble.empty()) return trouble;
        }
        if (!options_.single) {
            if (auto trouble = write_class(out_, grades_); !trouble.empty()) return trouble;
        }
        return write_extra({options_.junit, options_.gradescope, options_.step_summary}, grades_);
    }

    void tell_grades() {
        if (options_.single && !options_.quiet) {
            screen_ << '\n' << text_of(grades_.front(), For::instructor);
        } else if (options_.single) {
            const auto& grade = grades_.front();
            screen_ << grade.name << ": " << headline_of(grade) << '\n';
        } else {
            screen_ << '\n' << class_text_of(grades_);
        }
        const auto hides = [](const auto& series) { return series.hidden; };
        const auto unboxed = [](const auto& grade) { return grade.sandbox == "none"; };
        if (std::any_of(rubric_.series.begin(), rubric_.series.end(), hides) &&
            std::any_of(grades_.begin(), grades_.end(), unboxed))
            screen_ << "warning: without a sandbox nothing keeps a program from reading what the "
                       "rubric hides\n";
        screen_ << std::flush;
    }

    GradingEnding ending(const GradingEnding& played) const {
        if (played.status != exit_done) return played;
        std::vector<std::string> troubles;
        for (const auto& grade : grades_) {
            for (const auto& trouble : grade.troubles)
                troubles.push_back(grade.name + ": " + trouble);
        }
        if (!troubles.empty())
            return {exit_trouble, lines_of(troubles, "not graded to the end: ") +
                                      "\nWhat is missing is played by the same command:\n  " +
                                      options_.resume};
        if (!options_.single) return {};
        return {grades_.front().passed ? exit_done : exit_no, {}};
    }

    const GradingOptions& options_;
    std::ostream& screen_;
    std::string out_;
    std::string games_;
    rubric::Rubric rubric_;
    Places places_;
    Tries tries_;
    Plan plan_;
    std::map<std::string, std::string> never_started_;
    PlayedRecords records_;
    std::vector<verdict::Grade> grades_;
};

}  // namespace

GradingEnding grade(const GradingOptions& options, std::ostream& screen) {
    return Grading(options, screen).grade();
}

}  // namespace referee::grading
