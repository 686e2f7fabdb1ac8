#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

// Tables as CSV text (RFC 4180), in the ways in which spreadsheets write it: with commas,
// semicolons or tabs, with or without a byte order mark, with any line end.

namespace referee::roster {

// A table of more bytes is no list of a class.
inline constexpr std::size_t csv_bytes_max = 8 * 1024 * 1024;
// So many mistakes of a table are told: beyond these it is another kind of file.
inline constexpr std::size_t csv_mistakes_max = 50;

// What is wrong with a table, and where.
struct CsvMistake {
    std::size_t line = 0;  // from 1; 0: the file as a whole
    std::string column;    // empty: the line as a whole
    std::string message;   // what was found and what to do
};
// "students.csv:3: email: two rows have ..."
std::string describe(const CsvMistake& mistake, const std::string& file);

struct CsvRow {
    std::size_t line = 0;  // on which it begins
    std::vector<std::string> cells;
};

// How a file was written, so that it can be written in the same way again.
struct Dialect {
    char separator = ',';
    bool byte_order_mark = false;
    bool carriage_returns = false;
};

struct CsvTable {
    Dialect dialect;
    CsvRow header;
    std::vector<CsvRow> rows;  // each with as many cells as the header
};

// Any text is a table, or has mistakes. Empty lines, and lines of separators alone, are left out;
// spaces around a cell are no part of it, unless it is quoted. The separator is the one that the
// header has most of.
base::Result<CsvTable, std::vector<CsvMistake>> parse_csv(std::string_view text);
// The same, with the rows that could be read where there are mistakes, which are added.
CsvTable parse_csv(std::string_view text, std::vector<CsvMistake>& mistakes);

// Text that reads as this table.
std::string write_csv(const CsvTable& table);

}  // namespace referee::roster
