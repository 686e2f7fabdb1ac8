#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/grading/rubric/rubric.h"

namespace referee::rubric {

// Reads and checks a rubric; all mistakes at once, each with its line, its member and what was
// expected. Relative folders ("maps") are meant from `directory`. What only a config can check
// (params, opponents' commands) is checked when the games are planned.
struct RubricMistake {
    std::size_t line = 0;
    std::string path;  // "steps[2].rule"
    std::string message;
};
base::Result<Rubric, std::vector<RubricMistake>> read_rubric(std::string_view text,
                                                             const std::string& directory);

}  // namespace referee::rubric
