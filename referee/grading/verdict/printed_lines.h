#pragma once

#include <string>
#include <string_view>

namespace referee::verdict {

// How what was printed differs from what was expected, in words: the first line that does. Empty
// where all is the same. Blanks at the ends of lines and empty lines at the end don't count.
std::string difference_of_lines(std::string_view expected, std::string_view printed);
// The same where the lines may stand in any order: a line that is missing, or one too many.
std::string difference_in_any_order(std::string_view expected, std::string_view printed);

// A line as a reason shows it: its begin, in quotes, with what isn't printable escaped.
std::string quoted_line(std::string_view line);

}  // namespace referee::verdict
