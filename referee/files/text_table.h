#pragma once

// The cells of reports as text, which is the same on every machine.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/writer.h"

namespace referee::files {

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

// With exactly so many decimals: "12.30".
std::string fixed_text(double value, int decimals);
// The same as a member of JSON; and of the ends of an interval, as an array.
void write_fixed(protocol::json::Writer& writer, std::string_view key, double value, int decimals);
void write_span(protocol::json::Writer& writer, std::string_view key, double low, double high,
                int decimals);

// Lines of cells, the heading first, as a table and as a CSV file.
using Cells = std::vector<std::string>;
std::string table_text(const std::vector<Cells>& lines);
std::string csv_text(const std::vector<Cells>& lines);

}  // namespace referee::files
