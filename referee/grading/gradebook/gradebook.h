#pragma once

#include <optional>
#include <string>
#include <vector>

#include "referee/grading/gradebook/grades.h"
#include "referee/submit/matching/class_list.h"

// Whose each grade is: a bot's belongs to all of its students.

namespace referee::gradebook {

struct Entry {
    std::size_t person = 0;  // of the class list
    double points = 0;
    std::string feedback;
};

struct Gradebook {
    std::vector<Entry> entries;  // in the order of the roster
    double points_possible = 0;  // the most that any grade names
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

}  // namespace referee::gradebook
