#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include "referee/config/paths.h"
#include "referee/exit_code.h"
#include "referee/office/cli/commands.h"
#include "referee/office/cli/config_file.h"
#include "referee/office/cli/unsandboxed.h"
#include "referee/office/grading/grading.h"

namespace referee::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* default_name = "submission";

struct GradeOptions {
    grading::GradingOptions grading;
    std::string bot;
    std::string name = default_name;
    std::string directory;
    std::vector<std::string> reads;
    std::string all;
};

std::string resume_command(const GradeOptions& options) {
    const auto& its = options.grading;
    std::string text = "referee grade --rubric " + shell_quoted(its.rubric);
    if (!options.bot.empty()) text += " --bot " + shell_quoted(options.bot);
    if (!options.all.empty()) text += " --all " + shell_quoted(options.all);
    if (!options.directory.empty()) text += " --directory " + shell_quoted(options.directory);
    for (const auto& path : options.reads) text += " --reads " + shell_quoted(path);
    if (options.name != default_name) text += " --name " + shell_quoted(options.name);
    if (!its.standings.empty()) text += " --standings " + shell_quoted(its.standings);
    text += " --out " + shell_quoted(its.out);
    return text + (its.unsandboxed ? " --unsandboxed" : "");
}

// The submissions that the command line names; an exit status where it names none.
int find_submissions(GradeOptions& options) {
    if (options.bot.empty() == options.all.empty()) {
        std::cerr << "expected either --bot COMMAND or --all FOLDER\n";
        return exit_bad_input;
    }
    if (!options.all.empty()) {
        auto found = grading::submissions_in(options.all);
        if (!found) {
            for (const auto& mistake : found.error()) std::cerr << mistake << '\n';
            return exit_bad_input;
        }
        options.grading.submissions = *std::move(found);
        return exit_done;
    }
    grading::Handed handed{options.bot, options.name, {}, {}};
    if (!options.directory.empty()) {
        handed.directory = fs::absolute(options.directory).lexically_normal().string();
        // What is written there would be a part of the program, and the program could read it.
        for (const auto& path : {options.grading.out, options.grading.rubric}) {
            if (!config::lies_in(fs::absolute(path).lexically_normal().string(), handed.directory))
                continue;
            std::cerr << "--directory: the program sees all of " << options.directory << ", so "
                      << path
                      << " may not lie in it; expected a folder of the program's own files alone\n";
            return exit_bad_input;
        }
    }
    for (const auto& path : options.reads) handed.reads.push_back(fs::absolute(path).string());
    auto one = grading::submission_of(handed);
    if (!one) {
        std::cerr << one.error() << '\n';
        return exit_bad_input;
    }
    options.grading.single = true;
    options.grading.submissions = {*std::move(one)};
    return exit_done;
}

int grade(GradeOptions options) {
    if (const int status = find_submissions(options); status != exit_done) return status;
    options.grading.resume = resume_command(options);
    const auto ending = grading::grade(options.grading, std::cout);
    if (!ending.message.empty()) std::cerr << ending.message << '\n';
    return ending.status;
}

void add_outputs(CLI::App& command, grading::GradingOptions& grading) {
    command
        .add_option("--out", grading.out,
                    "The folder for grades and games; what was played there is not played again")
        ->required();
    command.add_option("--junit", grading.junit, "Also writes JUnit XML to this file");
    command.add_option("--gradescope", grading.gradescope,
                       "Also writes Gradescope's results.json to this file");
    command.add_option("--summary", grading.step_summary,
                       "Also adds Markdown to this file, such as \"$GITHUB_STEP_SUMMARY\"");
    command.add_flag("--quiet", grading.quiet, "Only the points, and what may need you");
}

}  // namespace

void add_grade_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<GradeOptions>();
    auto* command = app.add_subcommand("grade", "Play what a rubric says and give points for it");
    command->footer(
        R"(  $ referee grade --rubric configs/rubrics/light-cycles-phase-1.json --bot "python3 my_bot.py" --out grade
  $ referee grade --rubric configs/rubrics/e7-final.json --bot octave:e7planets_player.m --out grade
  $ referee grade --rubric rubric.json --all collected/submissions --out grades

Each submission gets grade.json and report.txt, and feedback.html and feedback.md for the student; a
class gets grades.csv too. The games stay in OUT/games: `referee explain` tells any of them. Stopped in
the middle, or with a rubric that was changed, the same command plays only what is missing.

The exit status is 0 where the rubric's "pass" is reached (of a class: where all are graded), 1 where
not, 2 where the rubric or the command line is wrong, and 3 where the machine or an opponent failed: then
nobody's grade is final, and the same command goes on.

configs/GRADING.md explains rubrics; `referee rubric FILE` prints one as students read it.)");
    command->add_option("--rubric", options->grading.rubric, "The rubric, JSON with comments")
        ->required();
    command->add_option("--bot", options->bot,
                        "One submission: its command, such as \"python3 bot.py\", or KIND:FILE");
    command->add_option(
        "--directory", options->directory,
        "Its own folder, all of which it sees; else only the files that the command names");
    command
        ->add_option("--reads", options->reads,
                     "A file or folder more that it may read in the sandbox; once for each")
        ->allow_extra_args(false);
    command->add_option("--name", options->name, "Its name in games and grades")
        ->capture_default_str();
    command->add_option("--all", options->all,
                        "A class: a folder of submissions as `referee collect` writes it");
    command->add_option("--standings", options->grading.standings,
                        "A tournament's standings.json, where the rubric gives points by place");
    add_outputs(*command, options->grading);
    add_unsandboxed(*command, options->grading.unsandboxed);
    command->callback([options, &status] {
        options->grading.terminal = isatty(STDOUT_FILENO) == 1;
        status = grade(*options);
    });
}

}  // namespace referee::cli
