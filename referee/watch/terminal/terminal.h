#pragma once

#include <signal.h>
#include <termios.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "referee/files/file.h"

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

// The line as several of so many columns at most, broken at blanks; all but the first are indented.
std::vector<Line> wrapped(const Line& line, std::size_t columns_max);

// A position's text as lines. Those of the board, which are the longest run of lines of one
// length, have a colour for each kind of character.
std::vector<Line> position_lines(std::string_view text);

// Whether a terminal has colour, by what its user says of it.
struct Environment {
    std::optional<std::string> term;
    std::optional<std::string> no_color;
    std::optional<std::string> color_term;
};
bool has_colour(const Environment& environment);
// Whether a cursor can be moved there at all.
bool has_cursor(const Environment& environment);

// The terminal of the standard output; of the usual size where it is none.
engines::Screen screen_size();

// What the process was told.
Environment environment();

// What a key asks for. The keys are those of E7's handout, and some more.
enum class KeyAction : std::uint8_t {
    next,
    previous,
    first,
    last,
    run_forward,
    run_backward,
    faster,
    slower,
    pause,
    next_fault,
    previous_fault,
    help,
    choose,  // a game of several
    follow,  // the next seat, where the board is larger than the screen
    close,
    interrupt,
};

struct KeyPress {
    KeyAction action;
    std::size_t chosen = 0;  // with `choose`, from 0
    bool operator==(const KeyPress&) const = default;
};

// The bytes that a terminal sends as key presses. Keys that mean nothing are left out.
class KeyReader {
 public:
    // What the bytes complete.
    std::vector<KeyPress> read(std::string_view bytes);
    // Whether an escape came of which more may come: a key, or the beginning of one.
    bool is_open() const { return !open_.empty(); }
    // Nothing more came: the escape was the key.
    std::vector<KeyPress> close();

 private:
    std::string open_;
};

// All keys with what they do, a line each.
std::string help_text();

// What happened while we waited: keys, a signal that ends us, or that there is no more input.
// Nothing of it: the terminal may have another size.
struct TerminalEvent {
    std::vector<KeyPress> keys;
    int ended_by = 0;  // a signal's number; 0: none
    bool input_is_over = false;
};

// The terminal of the standard output, with its keyboard, as one screen that is drawn again and
// again. As long as this lives the other content of the terminal is out of sight; it comes back at
// the end, also when a signal ends the program.
class Terminal {
 public:
    // An error says why there is none.
    static base::Result<std::unique_ptr<Terminal>, std::string> open(bool colour);
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Draws over what stands there.
    void draw(const std::vector<Line>& lines);
    // Waits until something happens, at most so long; below zero: without an end.
    TerminalEvent wait(std::int64_t us_max);

 private:
    struct Parts {
        files::Descriptor own_input;  // where the standard input is no terminal
        files::Descriptor signals;
        sigset_t signals_before{};
        termios before{};
    };
    Terminal(Parts parts, bool colour);
    int input() const;
    void write(const std::string& text);

    Parts parts_;
    bool colour_;
    KeyReader keys_;
};

}  // namespace referee::terminal
