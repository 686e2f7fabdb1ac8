#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/grading/rubric/rubric.h"

namespace referee::grading {

// The rubric in a file; else all its mistakes, each as a line: "rubric.json:7: steps[0].points:
// ...".
base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file);

// The folder from which the rubric's own paths go, absolute.
std::string folder_of_rubric(const std::string& file);

}  // namespace referee::grading
