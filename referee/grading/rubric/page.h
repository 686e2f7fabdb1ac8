#pragma once

#include <string>

#include "referee/grading/rubric/rubric.h"

namespace referee::rubric {

enum class Reader { student, instructor };

// The rubric in Markdown, as students may read it: points, opponents, how many games, how each step
// is decided and with which chances; of hidden steps only their titles and points. An instructor's
// page has all.
std::string page_of(const Rubric& rubric, Reader reader);

}  // namespace referee::rubric
