#include "sample_bots/cpp/superball/tools/arguments.h"

#include <algorithm>
#include <iostream>

#include "protocol/base/text.h"

namespace bots::superball::tools {
namespace {

using engines::superball::colors_max;
using engines::superball::side_max;

std::optional<int> read_side(std::string_view text) {
    const auto number = base::whole_number<std::int64_t>(text);
    if (!number || *number < 1 || *number > side_max) return std::nullopt;
    return static_cast<int>(*number);
}

bool are_colors(std::string_view text) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    if (text.empty() || text.size() > colors_max) return false;
    if (!std::all_of(text.begin(), text.end(), is_letter)) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.find(text[i], i + 1) != std::string_view::npos) return false;
    }
    return true;
}

}  // namespace

base::Result<Rules, std::string> read_rules(std::span<const char* const> arguments) {
    Rules rules;
    const auto rows = read_side(arguments[0]);
    const auto cols = read_side(arguments[1]);
    const auto size = base::whole_number<std::int64_t>(arguments[2]);
    if (!rows) return base::failure(std::string("rows is a number from 1 to 100, such as 8"));
    if (!cols) return base::failure(std::string("cols is a number from 1 to 100, such as 10"));
    if (!size || *size < 1)
        return base::failure(std::string("min-score-size is a number of at least 1, such as 5"));
    if (!are_colors(arguments[3])) {
        return base::failure(
            std::string("colors is 1 to 26 different lower-case letters, such as pbyrg"));
    }
    rules.rows = *rows;
    rules.cols = *cols;
    rules.min_score_size = static_cast<std::uint64_t>(*size);
    rules.colors = arguments[3];
    return rules;
}

base::Result<Board, std::string> read_board(const Rules& rules, std::istream& input) {
    Board board(rules);
    std::string row;
    for (int i = 0; i < rules.rows; ++i) {
        const std::string where = "row " + std::to_string(i) + " of the board: ";
        if (!(input >> row)) {
            return base::failure(where + "missing; expected " + std::to_string(rules.rows) +
                                 " rows");
        }
        if (row.size() != static_cast<std::size_t>(rules.cols)) {
            return base::failure(where + "has " + std::to_string(row.size()) +
                                 " characters; expected " + std::to_string(rules.cols));
        }
        if (!board.set_row(i, row)) {
            return base::failure(where + "expected '.', '*' and the letters " + rules.colors +
                                 ", in capitals on goal cells");
        }
    }
    return board;
}

int refuse_usage(std::string_view tool, std::string_view arguments) {
    std::cerr << "usage: " << tool << ' ' << arguments << '\n';
    return exit_bad_input;
}

int refuse(std::string_view tool, const std::string& complaint) {
    std::cerr << tool << ": " << complaint << '\n';
    return exit_bad_input;
}

}  // namespace bots::superball::tools
