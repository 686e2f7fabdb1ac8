#include "protocol/base/csv.h"

#include <charconv>

namespace base {

bool is_formula(std::string_view cell) {
    if (cell.empty() || std::string_view("=+-@\t\r").find(cell.front()) == std::string_view::npos)
        return false;
    double number = 0;
    const auto digits = cell.substr(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    return !is_number || (cell.front() != '-' && cell.front() != '+');
}

std::string quoted_cell(std::string_view cell) {
    std::string quoted = "\"";
    for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& plain : cells) {
        if (&plain != &cells.front()) line += ',';
        const auto cell = is_formula(plain) ? text_mark + plain : plain;
        line += cell.find_first_of(",\"\r\n") == std::string::npos ? cell : quoted_cell(cell);
    }
    return line + '\n';
}

}  // namespace base
