#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// Text in UTF-8: its sequences and code points, and the columns that it takes on a terminal.

namespace base {

inline constexpr std::size_t utf8_sequence_bytes_max = 4;

// Bytes of the UTF-8 sequence that `text` begins with; 0 where it is empty or begins with none
// (a stray or overlong byte, a surrogate, a sequence that is cut off).
std::size_t utf8_sequence_bytes(std::string_view text);

bool is_utf8(std::string_view text);

// The longest beginning of `text` that takes at most `bytes_max` and does not end inside a
// sequence. Requires valid UTF-8.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes_max);

// The code point of one valid sequence.
char32_t code_point(std::string_view sequence);

struct CodePoints {
    char32_t first, last;
};
bool lies_in(std::span<const CodePoints> ranges, char32_t code);

// The character that a text begins with: its bytes, and the columns that it takes on a terminal.
struct FirstCharacter {
    std::size_t bytes = 0;
    std::size_t columns = 0;
};
// Requires: the text is not empty. What is no UTF-8 counts as a character a byte.
FirstCharacter first_character(std::string_view text);

// How many columns a text takes on a terminal. Letters of East Asia and pictures take two.
std::size_t columns_of(std::string_view text);

// The most of its beginning that fits into so many columns.
std::string_view fitting(std::string_view text, std::size_t columns_max);

}  // namespace base
