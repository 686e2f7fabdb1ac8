#pragma once

#include <string>
#include <vector>

#include "referee/grading/submission.h"
#include "referee/grading/verdict/grade.h"
#include "referee/grading/verdict/played.h"

// What only those who know this machine and its programs see in the texts of grades.

namespace referee::grading {

// Paths of this machine tell a student nothing: those in the submission's folder, or beside a file
// that its command names, begin there, so "/srv/class/ann/build/bot.py" is "bot.py".
void shorten_paths(verdict::Grade& grade, const GradedSubmission& submission);

// Whether it may be a program in a handout's form that was launched as if it spoke the protocol: in
// no game it logged in, and for its game there are such programs.
bool may_speak_no_protocol(const GradedSubmission& submission, const verdict::Played& played,
                           const std::string& game);
// What then helps: the kind of such programs, and where it is said.
std::string hint_of_kind(const std::string& game);

}  // namespace referee::grading
