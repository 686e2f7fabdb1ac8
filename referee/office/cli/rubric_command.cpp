#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "referee/exit_code.h"
#include "referee/files/named_file.h"
#include "referee/grading/feedback/page.h"
#include "referee/grading/rubric/read_rubric.h"
#include "referee/limits.h"
#include "referee/office/cli/commands.h"
#include "referee/office/grading/plan.h"
#include "referee/office/grading/tool_plan.h"

namespace referee::cli {
namespace {

struct RubricOptions {
    std::string file;
    bool instructor = false;
};

void tell_mistakes(const std::string& file, const std::vector<rubric::Mistake>& mistakes) {
    for (const auto& mistake : mistakes) {
        std::cerr << file << ':' << mistake.line << ": ";
        if (!mistake.path.empty()) std::cerr << mistake.path << ": ";
        std::cerr << mistake.message << '\n';
    }
}

// What only a plan of its games shows, as `referee grade` makes it: params that the game refuses,
// clocks, limits, maps. The games are those of a program that stands in for a submission.
std::vector<std::string> wrong_games(const rubric::Rubric& rubric, const std::string& folder) {
    grading::Submission submission;
    submission.name = "submission";
    submission.bot = R"({"launch": ["submission"]})";
    auto plan = grading::plan_of(rubric, std::vector{submission}, {folder, folder, 1, {}});
    auto mistakes = plan ? std::vector<std::string>() : plan.error();
    if (const auto tools = grading::tool_plan_of(rubric, folder); !tools)
        mistakes.insert(mistakes.end(), tools.error().begin(), tools.error().end());
    return mistakes;
}

int show_rubric(const RubricOptions& options) {
    const auto text = files::read_named_file(options.file, limits::rubric_bytes_max);
    if (!text) {
        std::cerr << options.file << ' ' << text.error()
                  << "; expected a rubric such as configs/rubrics/walls.json\n";
        return exit_bad_input;
    }
    const auto folder = std::filesystem::absolute(options.file).parent_path().string();
    const auto rubric = rubric::read_rubric(*text, folder);
    if (!rubric) {
        tell_mistakes(options.file, rubric.error());
        return exit_bad_input;
    }
    if (const auto wrong = wrong_games(*rubric, folder); !wrong.empty()) {
        for (const auto& mistake : wrong) std::cerr << options.file << ": " << mistake << '\n';
        return exit_bad_input;
    }
    std::cout << grading::page_of(
        *rubric, options.instructor ? grading::For::instructor : grading::For::student);
    return exit_done;
}

}  // namespace

void add_rubric_command(CLI::App& app, int& status) {
    const auto options = std::make_shared<RubricOptions>();
    auto* const command =
        app.add_subcommand("rubric", "Check a rubric, and show it as students may read it");
    command->footer(R"(  $ referee rubric configs/rubrics/walls.json > walls.md
  $ referee rubric configs/rubrics/walls.json --instructor

Without --instructor hidden steps show their title and points alone.
A rubric with mistakes ends with status 2, and each is told with its line.)");
    command->add_option("FILE", options->file, "The rubric (JSON with comments)")->required();
    command->add_flag("--instructor", options->instructor, "Show hidden steps and games too");
    command->callback([options, &status] { status = show_rubric(*options); });
}

}  // namespace referee::cli
