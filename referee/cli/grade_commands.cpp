#include <filesystem>
#include <iostream>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/cli/commands.h"
#include "referee/files/file.h"
#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/grading.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/run/run_screen.h"

namespace referee::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* default_name = "submission";

struct GradeOptions {
    grading::GradingOptions grading;
    std::string bot;
    std::string source;
    std::string name = default_name;
    std::string directory;
    std::vector<std::string> reads;
    std::string all;
    std::string again;  // what to do to go on, where a script calls this; empty: the same command
};

// What is said may come from a program or its files, and be read by a CI job that obeys lines.
void tell(const std::string& text) {
    std::cerr << base::safe_for_ci_log(text + '\n');
}

int refuse_in_log(const std::string& mistake, int status = exit_bad_input) {
    tell(mistake);
    return status;
}

int find_class(GradeOptions& options) {
    if (!options.grading.extra.gradescope.empty())
        return refuse_in_log(
            "--gradescope: results.json is of one submission; expected it with --bot, not with "
            "--all");
    auto found = grading::submissions_in(options.all);
    if (!found) return refuse_in_log(base::joined(found.error(), "\n"));
    options.grading.submissions = *std::move(found);
    options.grading.foreign_folders = {options.all};
    return exit_done;
}

int find_one(GradeOptions& options) {
    grading::Handed handed{options.bot, options.name, {}, {}};
    if (!options.directory.empty()) {
        handed.directory = fs::absolute(options.directory).lexically_normal().string();
        // What is written there would be a part of the program, and the program could read it.
        for (const auto& path : {options.grading.out, options.grading.rubric}) {
            if (!files::lies_in(fs::absolute(path).lexically_normal().string(), handed.directory))
                continue;
            return refuse_in_log(
                "--directory: the program sees all of " + options.directory + ", so " + path +
                " may not lie in it; expected a folder of the program's own files alone");
        }
        options.grading.foreign_folders.push_back(options.directory);
    }
    for (const auto& path : options.reads) {
        handed.reads.push_back(fs::absolute(path).string());
        options.grading.foreign_folders.push_back(path);
    }
    auto one = grading::submission_of(handed);
    if (!one) return refuse_in_log(one.error());
    options.grading.single = true;
    options.grading.submissions = {*std::move(one)};
    return exit_done;
}

// For what nobody wants to keep: the games of a dry run, what was built of a submission.
class PassingFolder {
 public:
    // The exit status. `what` is to lie in it.
    int make(const std::string& what) {
        std::error_code error;
        const auto place = fs::temp_directory_path(error);
        path_ = (place / "referee-grade-XXXXXX").string();
        if (!error && ::mkdtemp(path_.data()) != nullptr) return exit_done;
        path_.clear();
        return refuse_in_log("no folder for " + what + " can be made in " +
                                 (error ? "$TMPDIR: " + error.message() : place.string()),
                             exit_trouble);
    }
    const std::string& path() const { return path_; }
    PassingFolder() = default;
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;
    ~PassingFolder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }

 private:
    std::string path_;
};

int find_source(GradeOptions& options, PassingFolder& passing) {
    if (!options.directory.empty() || !options.reads.empty())
        return refuse_in_log(
            "--source: the program sees what was built of it; expected neither --directory nor "
            "--reads");
    const auto rubric = grading::read_rubric_file(options.grading.rubric);
    if (!rubric) return refuse_in_log(base::joined(rubric.error(), "\n"));
    if (const int status = passing.make("what is built"); status != exit_done) return status;
    auto built = grading::build_handed_in(options.source, options.name, rubric->build,
                                          passing.path(), options.grading.unsandboxed);
    if (!built) return refuse_in_log(built.error().message, built.error().status);
    options.grading.single = true;
    options.grading.submissions = {*std::move(built)};
    options.grading.foreign_folders = {options.source};
    return exit_done;
}

// The submissions that the command line names; an exit status where it names none.
int find_submissions(GradeOptions& options, PassingFolder& passing) {
    const bool bot = !options.bot.empty();
    const bool all = !options.all.empty();
    const bool source = !options.source.empty();
    if (options.grading.dry_run && (bot || all || source))
        return refuse_in_log(
            "--dry-run grades the rubric's own bots: expected neither --bot, --source nor --all");
    if (options.grading.dry_run) return exit_done;
    if (options.grading.out.empty()) return refuse_in_log("--out is required");
    if (int{bot} + int{all} + int{source} != 1)
        return refuse_in_log("expected one of --bot COMMAND, --source FILE and --all FOLDER");
    if (source) return find_source(options, passing);
    return all ? find_class(options) : find_one(options);
}

int grade(GradeOptions options) {
    PassingFolder built;
    if (const int status = find_submissions(options, built); status != exit_done) {
        grading::remove_extra(options.grading.extra);
        return status;
    }
    options.grading.terminal = run::can_show_a_table();
    PassingFolder passing;
    if (options.grading.out.empty()) {
        const int status = passing.make("the games of the dry run");
        if (status != exit_done) return status;
        options.grading.out = passing.path();
        options.grading.resume.clear();
    }
    const auto ending = grading::grade(options.grading, std::cout);
    if (!ending.message.empty()) tell(ending.message);
    return ending.status;
}

void add_outputs(CLI::App& command, grading::GradingOptions& grading) {
    command.add_option("--out", grading.out,
                       "The folder for grades and games; what was played there is not played "
                       "again. A dry run needs none");
    command.add_option("--junit", grading.extra.junit,
                       "Also writes JUnit XML to this file, a suite a submission");
    command.add_option("--gradescope", grading.extra.gradescope,
                       "Also writes Gradescope's results.json to this file; not with --all, since "
                       "it is of one submission");
    command.add_option("--summary", grading.extra.step_summary,
                       "Also adds Markdown to this file, such as \"$GITHUB_STEP_SUMMARY\"");
    command.add_flag(
        "--instructor", grading.instructor,
        "Shows a single grade with what is hidden from students; not in a CI job that they read");
    command.add_flag("--quiet", grading.quiet, "Only the points, and what may need you");
}

struct RubricOptions {
    std::string file;
    bool instructor = false;
};

int show_rubric(const RubricOptions& options) {
    const auto rubric = grading::read_checked_rubric(options.file);
    if (!rubric) return refuse(base::joined(rubric.error(), "\n"));
    std::cout << feedback::page_of(
        *rubric, options.instructor ? feedback::For::instructor : feedback::For::student);
    return exit_done;
}

}  // namespace

void add_grade_command(CLI::App& command, int& status) {
    auto& options = options_of<GradeOptions>(command, status, [&command](GradeOptions given) {
        given.grading.resume = given.again.empty() ? command_line(command) : given.again;
        return grade(std::move(given));
    });
    command.description("Play what a rubric says and give points for it");
    command.footer(
        R"(  $ referee grade --rubric configs/rubrics/light-cycles-phase-1.json --bot "python3 my_bot.py" --out grade
  $ referee grade --rubric configs/rubrics/e7-final.json --bot octave:e7planets_player.m --out grade
  $ referee grade --rubric configs/rubrics/snake-challenge-1.json --source iap.zip --out grade
  $ referee grade --rubric rubric.json --all collected/submissions --out grades
  $ referee grade --rubric rubric.json --dry-run

Each submission gets grade.json and report.txt, and feedback.html and feedback.md for the student; a
class gets grades.csv too. The games stay in OUT/games: `referee explain` tells any of them. Stopped in
the middle, or with a rubric that was changed, the same command plays only what is missing. The log goes
to OUT/grading.log, for it tells of hidden games; the screen shows a single grade as its student may read it.

The exit status is 0 where the rubric's "pass" is reached (of a class: where all are graded), 1 where
not, 2 where the rubric or the command line is wrong, and 3 where the machine or an opponent failed: then
nobody's grade is final, and the same command goes on.

configs/GRADING.md explains rubrics; `referee rubric FILE` prints one as students read it.)");
    command.add_option("--rubric", options.grading.rubric, "The rubric, JSON with comments")
        ->required();
    command.add_option("--bot", options.bot,
                       "One submission: its command, such as \"python3 bot.py\", or KIND:FILE");
    command.add_option("--source", options.source,
                       "One submission as it was handed in, an archive, a file or a folder: built "
                       "in the sandbox, as the rubric's \"build\" says or as its files tell");
    command.add_option(
        "--directory", options.directory,
        "Its own folder, all of which it sees; else only the files that the command names");
    add_repeated_option(command, "--reads", options.reads,
                        "A file or folder more that it may read in the sandbox; once for each");
    command.add_option("--name", options.name, "Its name in games and grades")
        ->capture_default_str();
    command.add_option("--all", options.all,
                       "A class: a folder of submissions as `referee collect` writes it");
    command.add_option("--standings", options.grading.standings,
                       "A tournament's standings.json, where the rubric gives points by place");
    command.add_flag("--dry-run", options.grading.dry_run,
                     "Grades the rubric's own bots, or the game's reference bots where it names "
                     "none, as if each were handed in, and shows what each would get");
    command.add_option("--again", options.again,
                       "What to say where something is missing, in place of the command that goes "
                       "on: for scripts, such as \"run this job again\"");
    add_outputs(command, options.grading);
    add_unsandboxed(command, options.grading.unsandboxed);
}

void add_rubric_command(CLI::App& command, int& status) {
    auto& options = options_of<RubricOptions>(command, status, show_rubric);
    command.description("Check a rubric, and show it as students may read it");
    command.footer(R"(  $ referee rubric configs/rubrics/walls.json > walls.md
  $ referee rubric configs/rubrics/walls.json --instructor

Without --instructor hidden steps show their title and points alone.
A rubric with mistakes ends with status 2, and each is told with its line.)");
    command.add_option("FILE", options.file, "The rubric (JSON with comments)")->required();
    command.add_flag("--instructor", options.instructor, "Show hidden steps and games too");
}

}  // namespace referee::cli
