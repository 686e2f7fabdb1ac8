#pragma once

#include <cstddef>
#include <string_view>

namespace protocol::json {

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

}  // namespace protocol::json
