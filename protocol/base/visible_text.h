#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Text that a stranger may have written, as messages, terminals, spreadsheets, pages and logs
// can show it.

namespace base {

// Any bytes as valid UTF-8 for a message or a record: bytes that are none become \xNN, and what is
// longer than about `bytes_max` ends with "...".
std::string readable(std::string_view text, std::size_t bytes_max);

// Whether it is UTF-8 without controls, separators of lines, marks without width, marks that turn
// the direction of what follows, letters that show nothing, private use and what is no character:
// such text can't look like another.
bool is_one_printable_line(std::string_view text);
// Whether all blanks are single spaces between other characters.
bool has_plain_blanks(std::string_view text);

// Text that a stranger may have written, for a log or a terminal: whatever isn't printable becomes
// an escape that can be seen (\n, \x1b, \u202e), so that no terminal obeys it.
std::string visible_line(std::string_view text);
// The same, but lines stay lines: each after the first begins with `margin`, so that none looks
// like one of ours. Line feeds at the end go.
std::string visible_lines(std::string_view text, std::string_view margin);

// Stands before each further line of a message of several lines.
inline constexpr std::string_view further_line = "    | ";

// What stands for a sign of HTML's and XML's own in their texts and attributes, such as "&lt;";
// empty for other characters.
std::string_view entity_of(char c);
// A text with these in place of its own: for HTML and XML.
std::string in_markup(std::string_view text);

// For a cell or a line of Markdown: no mark, no HTML, no link, no name of a user.
std::string in_markdown(std::string_view text);

// Lines for a terminal that may be the log of a CI job, in which a stranger's text is no order to
// the job: GitHub takes "::error::" at the begin of a line for one and "##[add-mask]" anywhere,
// Azure "##vso[...]" and "##[...]", TeamCity "##teamcity[...]". Such marks get a character more, so
// that people still read them; a name such as std::string stays.
std::string safe_for_ci_log(std::string_view lines);

// Whether a spreadsheet would run the cell of a CSV file instead of showing it: "=cmd|...". A
// number is none, such as -0.5.
bool is_formula(std::string_view cell);
// Before such a cell it tells the spreadsheet that it is text.
inline constexpr char text_mark = '\'';
// A cell in double quotes, its own ones doubled.
std::string quoted_cell(std::string_view cell);
// Cells as a line of a CSV file: in quotes where it has quotes, line ends or what a spreadsheet
// may split at, and with a mark where one would run it.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace base
