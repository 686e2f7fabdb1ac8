#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace referee::terminal {

// What a piece of text is, from which its colour follows. Nothing is told by colour alone.
enum class Paint : std::uint8_t {
    plain,
    faint,   // empty cells, walls, hints
    strong,  // titles
    bad,     // faults
    red,
    green,
    yellow,
    blue,
    magenta,
    cyan,
    figure,  // numbers on a board
};

struct Piece {
    std::string text;
    Paint paint = Paint::plain;
    bool bold = false;
};

// A line of a terminal, without controls in its texts.
using Line = std::vector<Piece>;

// The line as a terminal takes it, cut at so many columns; without colour it has no escape.
std::string drawn(const Line& line, std::size_t columns_max, bool colour);

// A position's text as lines. Those of the board, which are the longest run of lines of one
// length, have a colour for each kind of character.
std::vector<Line> position_lines(std::string_view text);

}  // namespace referee::terminal
