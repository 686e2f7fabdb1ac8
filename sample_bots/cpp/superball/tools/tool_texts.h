#pragma once

// What the tools read: command lines, boards, and the sets of a board that a sb-analyze printed.

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "engines/superball/position.h"
#include "protocol/base/result.h"

namespace bots::superball::tools {

using engines::superball::Board;
using engines::superball::Move;
using engines::superball::Rules;

inline constexpr int exit_done = 0;
inline constexpr int exit_no = 1;         // the game ended by a move that doesn't count
inline constexpr int exit_bad_input = 2;  // command line or board

inline constexpr std::string_view rules_usage = "rows cols min-score-size colors";
inline constexpr std::size_t rules_arguments = 4;

// Reads the four arguments that every tool begins with. Requires four. An error is one line that
// says what is wrong.
base::Result<Rules, std::string> read_rules(std::span<const char* const> arguments);

// Reads a board of that size from rows of text, one a line, blank lines skipped. Goal cells are
// those that the text marks, by capitals and asterisks.
base::Result<Board, std::string> read_board(const Rules& rules, std::istream& input);

// The first thing that is wrong: "the set of 6 'p' at the goal cell 3,0 is missing", "line 4 is no
// set: expected ...". Empty where each set that can be scored is named once: in any order, each by
// any of its goal cells. Blanks count for nothing where there may be some.
std::string mistake_in_sets(const Rules& rules, const Board& board, std::string_view printed);

// Says "usage: TOOL ARGUMENTS" on standard error and gives the exit status for it.
int refuse_usage(std::string_view tool, std::string_view arguments);
// Says what is wrong on standard error and gives the exit status for it.
int refuse(std::string_view tool, const std::string& complaint);

}  // namespace bots::superball::tools
