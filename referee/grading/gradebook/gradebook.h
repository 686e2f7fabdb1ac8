#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/matching/class_list.h"

// Grades as `referee grade` leaves them behind, or points of a tournament. A bot's grade belongs to
// all of its students.

namespace referee::gradebook {

struct StudentGrade {
    std::string name;                   // of the bot
    std::vector<std::string> students;  // of the roster; empty: whoever the roster says
    double points = 0;
    std::optional<double> of;  // the most that there is
    std::string feedback;      // one line
    // Why nobody knows the points yet: the grade isn't final. Empty: they are known.
    std::string open;
};

struct Grades {
    std::vector<StudentGrade> grades;  // in the order of the names
    // What is left out, and why: "grades/ann/grade.json: ann is not among those who ..."
    std::vector<std::string> mistakes;
};

// Of DIR/NAME/grade.json, each {"name": "ann", "students": ["ann"], "points": 62.5, "of": 70}, with
// other members that are passed over, but "feedback", a text, and "final" with "troubles". Where
// DIR/grades.json names who was graded, the grade of anybody else is of an earlier class: it is
// told and left out. A grade by another rubric than that of the newest file isn't final. An error:
// there is no such folder, no grade in it, or one that can't be read.
base::Result<Grades, std::string> read_grades(const std::string& folder);

// Of a tournament's standings.json: what each bot but the house's has of the first tie-break, as a
// rule its points; the most that there is, is what its bot of the most matches could have.
// An error says what is wrong.
base::Result<Grades, std::string> read_standings(const std::string& file);

struct GradebookEntry {
    std::size_t person = 0;  // of the class list
    double points = 0;
    std::string feedback;
};

struct Gradebook {
    std::vector<GradebookEntry> entries;  // in the order of the roster
    double points_possible = 0;           // the most that any grade names
    // Bots and students who are in no roster: "zed: nobody of the roster"
    std::vector<std::string> unknown;
    // People without a grade, and why it isn't there yet; empty: there is none at all. Those with
    // several are not among them.
    struct Missing {
        std::size_t person = 0;
        std::string open;
    };
    std::vector<Missing> missing;
    // People with several grades, of which none is taken: nobody here knows which one is theirs.
    std::vector<std::string> conflicts;
};

// A grade names its students; else its bot's name is a student's, or a team's of the roster.
Gradebook gradebook_of(const Grades& grades, const matching::ClassList& people);

// ---- course_files.cpp ---------------------------------------------------------------------------

// Gradebooks as services take them: CSV by RFC 4180. Text that a spreadsheet would run is marked as
// text; numbers stay numbers.

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
