#pragma once

#include <map>
#include <string>
#include <vector>

#include "referee/grading/verdict/grade.h"

// Grades for tests of what is written of them.

namespace referee::feedback {

// A step of each verdict, "a" to "e", and the hidden "h".
verdict::Grade grade_of_all();
// The same without the hidden step, with the text wherever it may come from a student's program.
verdict::Grade hostile(const std::string& text);
// Texts that some format would obey.
const std::vector<std::string>& hostile_texts();

// All that a student reads of a grade, by the format's name.
std::map<std::string, std::string> pages_of(const verdict::Grade& grade);

using Words = std::vector<std::string>;
// That the text has all of the first, and none of the others.
void expect_told(const std::string& text, const Words& told, const Words& untold = {});

}  // namespace referee::feedback
