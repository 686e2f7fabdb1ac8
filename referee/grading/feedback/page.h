#pragma once

#include <string>

#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/rubric/rubric.h"

namespace referee::feedback {

// The rubric in Markdown, as students may read it: points, opponents, how many games, how each step
// is decided and with which chances; of hidden steps only their titles and points. An instructor's
// page has all.
std::string page_of(const rubric::Rubric& rubric, For reader);

}  // namespace referee::feedback
