#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "referee/submit/exports/read_export.h"
#include "referee/submit/matching/class_list.h"

// Whose a submission is. Nobody is guessed: a name that is only near one of the roster is asked
// about.

namespace referee::matching {

struct Found {
    std::vector<std::size_t> people;  // of the class list, in its order
    std::string how;                  // "by name", "by e-mail address"
    // What keeps it from being anybody's; empty where somebody was found.
    std::string doubt;  // "nobody of the roster is Ann Le: is it ann (Ann Lee)?"
};

Found find_students(const ClassList& people, const exports::Submission& submission);

}  // namespace referee::matching
