#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/text.h"

// Lines of a report file as columns: positions are counted from 1, in characters whatever number of
// bytes each takes, or in bytes, as some programs write.

namespace referee::trf {

enum class Counting { characters, bytes };

class TrfColumns {
 public:
    TrfColumns(std::string_view text, int line, Counting counting = Counting::characters);

    int line() const { return line_; }
    int size() const { return size_; }
    std::string_view text() const { return text_; }

    // The columns first .. last, both included; those beyond the end are missing.
    std::string_view cut(int first, int last) const;
    std::string_view from(int first) const { return cut(first, size_); }
    char at(int column) const;  // ' ' beyond the end, '?' for a character of several bytes

 private:
    std::string_view text_;
    int line_;
    int size_;
    std::vector<std::size_t> starts_;  // of characters; empty when each takes one byte
};

// The lines of a text, whatever ends them.
std::vector<TrfColumns> lines_of(std::string_view text, Counting counting = Counting::characters);

bool is_ascii(std::string_view text);

using base::trimmed;

// Whole numbers without sign; points with at most one decimal, as tenths, perhaps negative.
std::optional<int> whole_number(std::string_view text);
std::optional<int> tenths(std::string_view text);
std::string tenths_text(int points_tenths);

// A word of a line and the column where it starts.
struct Word {
    std::string_view text;
    int column = 0;
};
std::vector<Word> words_from(const TrfColumns& line, int first);

}  // namespace referee::trf
