#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/grading/gradebook/gradebook.h"

// Gradebooks as services take them: CSV by RFC 4180. Text that a spreadsheet would run is marked as
// text; numbers stay numbers.

namespace referee::gradebook {

// Student, ID, SIS User ID, SIS Login ID, Section and the assignment's column, with a row of the
// points possible below the header. `assignment`: as Canvas exports it, "Name (12345)", or a new
// name.
std::string canvas_csv(const Gradebook& book, const matching::ClassList& people,
                       const std::string& assignment);

// A course's own export with the assignment's column filled in, or added; all else stays as it is.
struct FilledIn {
    std::string text;
    std::vector<std::string> remarks;  // students of the export who have no grade, and so on
};
base::Result<FilledIn, std::string> canvas_filled_in(const Gradebook& book,
                                                     const matching::ClassList& people,
                                                     const std::string& assignment,
                                                     std::string_view exported);

// Email address, ID number, the grade's column and its feedback's.
std::string moodle_csv(const Gradebook& book, const matching::ClassList& people,
                       const std::string& assignment);

// name, student, student_id, email, team, points, of, feedback.
std::string plain_csv(const Gradebook& book, const matching::ClassList& people);

}  // namespace referee::gradebook
