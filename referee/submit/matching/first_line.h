#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "referee/submit/matching/class_list.h"

// Groups that name themselves by their ids in the first line of a file.

namespace referee::matching {

// What such a line says: `// 1234567 1234568`.
struct FirstLine {
    std::vector<std::size_t> people;  // of the class list, in its order
    // Of words that look like the roster's ids and are nobody's: "nobody of the roster has the id
    // 1009: is it 1003 of cay (Cay Day)?"
    std::vector<std::string> doubts;
};
FirstLine first_line_in(const ClassList& people, std::string_view line);

}  // namespace referee::matching
