#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/files/file.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"

// What a grading reads and writes.

namespace referee::grading {

// The rubric in a file; else all its mistakes, each as a line: "rubric.json:7: steps[0].points:
// ...".
base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file);
// The folder from which the rubric's own paths go, absolute.
std::string folder_of_rubric(const std::string& file);

// Each writes files, and says why one can't be written; empty where all is well.

// grade.json and report.txt for the instructor; feedback.md and feedback.html for the student.
std::string write_grade(const std::string& folder, const verdict::Grade& grade);
// grades.csv, grades.txt and grades.json.
std::string write_class(const std::string& folder, const std::vector<verdict::Grade>& grades);

// Files that others read; those with an empty name are not written.
struct ExtraFiles {
    std::string junit;
    std::string gradescope;    // of a single grade
    std::string step_summary;  // is added to
};
// What an earlier grading wrote there tells nothing of this one. What is added to stays.
void remove_extra(const ExtraFiles& files);
std::string write_extra(const ExtraFiles& files, const std::vector<verdict::Grade>& grades);

// Why grades may not be written into `out`: it is a symbolic link, or lies in one of `folders`,
// which programs see and students fill. Links are resolved. Empty where they may.
std::string mistake_in_folder(const std::string& out, const std::vector<std::string>& folders);

// Makes the folder and its "games", and keeps other gradings off it for as long as the descriptor
// lives. An error says who holds it, or why it can't be made; then nothing was changed.
base::Result<files::Descriptor, std::string> take_folder(const std::string& out);

// A tournament's standings.json, for what extra points by place are given; an empty name: none. An
// error says what is wrong with it.
base::Result<std::optional<verdict::TournamentPlaces>, std::string> read_places(
    const std::string& file);

// How often series of games came to nothing by the referee's own trouble: the next grading plays
// them again under another id. Kept in a file, of which a missing one has none.
using Tries = std::map<std::string, unsigned>;
base::Result<Tries, std::string> read_tries(const std::string& file);
// Why it can't be written, or nothing.
std::string write_tries(const std::string& file, const Tries& tries);

}  // namespace referee::grading
