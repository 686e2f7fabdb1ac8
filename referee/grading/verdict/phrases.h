#pragma once

#include <string>
#include <string_view>

#include "referee/game/clock/time.h"
#include "referee/grading/rubric/rubric.h"

// How reasons say numbers, times, rules and printed lines.

namespace referee::verdict {

// Of a line that a reason shows: what differs stands at its begin, or the line is no line of text.
inline constexpr std::size_t shown_line_bytes_max = 120;
// Of what a build or a program printed, as much as a page of feedback shows: the last errors of a
// compiler or a traceback through a library, not a log.
inline constexpr std::size_t feedback_output_bytes_max = 4096;

// Between what a program said and what came of it.
inline constexpr auto* and_so = "; so: ";

// At most two decimals, none that is a zero: "3", "2.5", "0.33".
std::string number(double value);
// "48%": to whole percents, but 100 and 0 only where it is that.
std::string percent(double share);
// "3 d 4 h", "20 min", "less than 1 s".
std::string length(Duration duration);
// The end of what a program printed, as much as a page shows: whole lines behind "...".
std::string tail_of(std::string_view text);
// The text with its times as people read them: "60000.000 ms" is "60 s", "50.000 ms" is "50 ms".
std::string with_short_times(std::string_view text);
// What a truth of an outcome's detail says: "finished" is "the way out is found".
std::string true_in_words(const std::string& member);
// What a step asks for, in a sentence: "Needed: at least 2 games are won."
std::string criterion_of(const rubric::Step& step);

// How what was printed differs from what was expected, in words: the first line that does. Empty
// where all is the same. Blanks at the ends of lines and empty lines at the end don't count.
std::string difference_of_lines(std::string_view expected, std::string_view printed);
// The same where the lines may stand in any order: a line that is missing, or one too many.
std::string difference_in_any_order(std::string_view expected, std::string_view printed);

// A line as a reason shows it: its begin, in quotes, with what isn't printable escaped.
std::string quoted_line(std::string_view line);

}  // namespace referee::verdict
