#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"

// Which runs a rubric asks for. A tool is another program of a submission, beside the one that
// plays; its runs are those of one series, one for each input.

namespace referee::grading {

// Of one input of a run: text of a size that a student can read.
inline constexpr std::size_t run_input_bytes_max = 1024 * 1024;

struct ToolInput {
    std::string name;    // of the file: "07.txt"
    std::string file;    // absolute
    std::string digest;  // of what it holds
};

struct ToolSeries {
    std::string id;
    rubric::Runs runs;
    std::vector<ToolInput> inputs;  // by name
    config::BotConfig reference;
    config::BotConfig checker;  // its command is empty where there is none
};

struct ToolPlan {
    std::vector<ToolSeries> series;
    config::BotConfig limits;  // of each tool; nothing else of it counts

    std::size_t inputs() const;
    // A line: how many runs there are of so many submissions, and how long they take at worst where
    // so many are run at once. What references and checkers take isn't in it: the instructor knows
    // them. Empty: there are none.
    std::string estimate(std::size_t submissions, std::size_t lanes) const;
};

// Mistakes name members of the rubric. Reads the inputs. `rubric_folder`: absolute.
base::Result<ToolPlan, std::vector<std::string>> tool_plan_of(const rubric::Rubric& rubric,
                                                              const std::string& rubric_folder);

// How the tool of a submission is called; of the rubric's own bots it is the reference.
config::BotConfig tool_of(const GradedSubmission& submission, const ToolSeries& series,
                          const ToolPlan& plan);

}  // namespace referee::grading
