#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "referee/submit/matching/class_list.h"

// Whose the submissions of groups are, where the course's export, their first lines and the
// instructor may name others. Whoever names another against the export is not believed.

namespace referee::matching {

// What the line says in which a group names itself by its ids: `// 1234567 1234568`.
struct FirstLine {
    std::vector<std::size_t> people;  // of the class list, in its order
    // Of words that look like the roster's ids and are nobody's: "nobody of the roster has the id
    // 1009: is it 1003 of cay (Cay Day)?"
    std::vector<std::string> doubts;
};
FirstLine first_line_in(const ClassList& people, std::string_view line);

// Whose a submission may be.
struct Claim {
    std::string key;                     // in the export
    std::vector<std::size_t> by_export;  // empty: the export names nobody of the roster
    std::vector<std::size_t> by_line;
    std::vector<std::size_t> by_instructor;  // empty: nothing is said of it
    std::vector<std::string> doubts;         // of its line, or of whom the export names
};

// Whose it is.
struct Settled {
    enum class By : std::uint8_t { course_export, line, instructor };
    std::vector<std::size_t> people;  // empty: nobody's
    By by = By::line;
    std::vector<std::string> odd;  // what the instructor should look at; empty: all is plain
    // The submission that its people handed in by the instructor's word, in place of this one.
    std::string instead{};
};

// One for each claim. What the instructor says counts. Else a line is believed where it names all
// whom the export names, and no other group's line, nor another one's own submission, says
// otherwise. Where it isn't, the submission is theirs whom the export names.
std::vector<Settled> settle_claims(const ClassList& people, const std::vector<Claim>& claims);

}  // namespace referee::matching
