#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace referee::terminal {

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
    projector,  // the board alone
    debug,
    help,
    choose,  // a game of several
    follow,  // the next seat, where the board is larger than the screen
    close,
    interrupt,
};

struct KeyPress {
    KeyAction wish;
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
std::string_view help_text();

}  // namespace referee::terminal
