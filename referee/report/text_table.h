#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"

// The cells of reports as text, which is the same on every machine.

namespace referee::report {

// A table for a terminal: columns are as wide as their widest cell, numbers stand to the right.
// Widths are columns of a terminal, not bytes.
class TextTable {
 public:
    explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}
    // What a stranger may have written can't leave its cell.
    void add(std::vector<std::string> row);
    // With a width, columns of words are narrowed until the rows fit, the widest first: what a cell
    // loses stands as "...". Columns of numbers, the heading and the first column stay as they are;
    // so a row may still be too wide.
    std::string text(std::size_t width = 0) const;

 private:
    struct Column {
        std::size_t width = 0;
        bool right = false;
    };
    std::vector<Column> columns(std::size_t width) const;

    std::vector<std::vector<std::string>> rows_;
};

// "2", "1.5", "-0.5".
std::string score_text(engines::Score score);

// With exactly so many decimals: "12.30".
std::string fixed_text(double value, int decimals);

// Appends a line of a CSV file; cells with commas, quotes or line ends are quoted,
// and a cell that a spreadsheet would run ("=1+1") begins with an apostrophe.
void add_csv_line(std::string& text, const std::vector<std::string>& cells);

}  // namespace referee::report
