#pragma once

#include <string>
#include <string_view>
#include <vector>

// Cells and lines of CSV files, as spreadsheets read them.

namespace base {

// Whether a spreadsheet would run the cell of a CSV file instead of showing it: "=cmd|...". A
// number is none, such as -0.5.
bool is_formula(std::string_view cell);
// Before such a cell it tells the spreadsheet that it is text.
inline constexpr char text_mark = '\'';
// A cell in double quotes, its own ones doubled.
std::string quoted_cell(std::string_view cell);
// Cells as a line of a CSV file: in quotes where it has commas, quotes or line ends, and with a
// mark where a spreadsheet would run it.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace base
