#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "engines/superball/board.h"

namespace engines::superball {

struct Swap {
    Cell first;
    Cell second;
};
struct Collect {
    Cell goal;
};
using Move = std::variant<Swap, Collect>;

struct BlankMove {};  // nothing but white space
struct BadMove {
    std::string message;      // what was expected
    bool knows_form = false;  // it begins as a move does: SWAP or SCORE
};
using ParsedMove = std::variant<Swap, Collect, BlankMove, BadMove>;

// Reads "SWAP r1 c1 r2 c2" or "SCORE r c". Words are separated by the white space of C's
// isspace(); a number is what %d reads at the start of its word, so "03", "+3" and "3," are 3. A
// number that an int can't hold is refused. Whether the cells exist is not looked at.
ParsedMove parse_move(std::string_view text);

// "SWAP 0 1 7 2", "SCORE 5 0".
std::string to_text(const Move& move);

}  // namespace engines::superball
