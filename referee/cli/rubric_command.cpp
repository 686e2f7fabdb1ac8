#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "referee/cli/commands.h"
#include "referee/cli/handed_in_source.h"
#include "referee/exit_code.h"
#include "referee/grading/feedback/page.h"
#include "referee/grading/run/plan.h"
#include "referee/grading/run/rubric_file.h"
#include "referee/grading/run/submission.h"
#include "referee/grading/run/tool_plan.h"

namespace referee::cli {
namespace {

struct RubricOptions {
    std::string file;
    bool instructor = false;
};

// What only a plan of its games shows, as `referee grade` makes it: params that the game refuses,
// clocks, limits, maps. The games are those of a program that stands in for a submission.
std::vector<std::string> wrong_games(const rubric::Rubric& rubric, const std::string& folder) {
    grading::Submission submission;
    submission.name = "submission";
    submission.bot = R"({"launch": ["submission"]})";
    std::vector all{submission};
    grading::name_players(rubric, all);
    auto plan = grading::plan_of(rubric, all, {folder, folder, 1, {}});
    auto mistakes = plan ? std::vector<std::string>() : plan.error();
    if (const auto tools = grading::tool_plan_of(rubric, folder); !tools)
        mistakes.insert(mistakes.end(), tools.error().begin(), tools.error().end());
    if (auto wrong = wrong_build(rubric.build); !wrong.empty())
        mistakes.push_back(std::move(wrong));
    return mistakes;
}

int show_rubric(const RubricOptions& options) {
    const auto rubric = grading::read_rubric_file(options.file);
    if (!rubric) {
        for (const auto& mistake : rubric.error()) std::cerr << mistake << '\n';
        return exit_bad_input;
    }
    const auto folder = grading::folder_of_rubric(options.file);
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
