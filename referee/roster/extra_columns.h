#pragma once

#include <cstdint>
#include <string_view>

// Columns of a roster by which services know its students, beside the roster's own: full_name (or
// first_name and last_name), login (username, github), canvas_id, school_id (sis_user_id,
// id_number) and section.

namespace referee::roster {

enum class Extra : std::uint8_t {
    none,
    full_name,
    first_name,
    last_name,
    login,
    canvas_id,
    school_id,
    section
};

// Between the words of a column's name, and of a person's.
inline constexpr std::string_view word_ends = " ,.-_'\t";

// What a column is, by its name: capitals, accents, blanks and lines between words don't matter.
Extra extra_of(std::string_view header);

}  // namespace referee::roster
