#include "sample_bots/cpp/superball/tools/tool_texts.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <sstream>
#include <vector>

#include "protocol/base/text.h"
#include "sample_bots/cpp/superball/groups.h"

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

constexpr std::string_view heading = "Scoring sets:";
constexpr std::string_view example = "\"  Size: 10  Char: p  Scoring Cell: 2,8\"";
constexpr std::size_t shown_bytes_max = 80;  // of a line that somebody printed

struct NamedSet {
    std::int64_t size = 0;
    char letter = ' ';
    std::int64_t row = 0;
    std::int64_t col = 0;
};

// The words of a line, as if there were a blank behind each colon and none around the comma.
std::vector<std::string> words_of(const std::string& line) {
    std::string spaced;
    for (const char c : line) {
        spaced += c;
        if (c == ':') spaced += ' ';
    }
    std::istringstream stream(spaced);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::optional<NamedSet> read_set(const std::string& line) {
    const auto words = words_of(line);
    constexpr std::size_t words_of_set = 7;
    if (words.size() != words_of_set || words[0] != "Size:" || words[2] != "Char:" ||
        words[4] != "Scoring" || words[5] != "Cell:" || words[3].size() != 1)
        return std::nullopt;
    const auto comma = words[6].find(',');
    if (comma == std::string::npos) return std::nullopt;
    const auto size = base::whole_number<std::int64_t>(words[1]);
    const auto row = base::whole_number<std::int64_t>(std::string_view(words[6]).substr(0, comma));
    const auto col = base::whole_number<std::int64_t>(std::string_view(words[6]).substr(comma + 1));
    if (!size || !row || !col) return std::nullopt;
    return NamedSet{*size, words[3][0], *row, *col};
}

std::string in_quotes(const std::string& line) {
    return '"' + line.substr(0, shown_bytes_max) + (line.size() > shown_bytes_max ? "...\"" : "\"");
}

// Checks line after line which sets are named.
class SetCheck {
 public:
    SetCheck(const Rules& rules, const Board& board)
        : rules_(rules), board_(board), grouping_(board), named_on_(grouping_.groups().size(), 0) {}

    std::string mistake(std::string_view printed) {
        std::istringstream lines{std::string(printed)};
        std::size_t number = 0;
        bool begun = false;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            if (line.find_first_not_of(" \t\r\v\f") == std::string::npos) continue;
            const auto where = "line " + std::to_string(number) + ' ';
            if (!begun) {
                begun = true;
                if (line.substr(0, line.find_last_not_of(" \t\r\v\f") + 1) == heading) continue;
                return where + "is " + in_quotes(line) + ": expected \"" + std::string(heading) +
                       '"';
            }
            if (auto wrong = mistake_in_line(line, where, number); !wrong.empty()) return wrong;
        }
        if (!begun) return "nothing was printed: expected \"" + std::string(heading) + '"';
        return missing();
    }

 private:
    bool scores(const Group& group) const {
        return group.goal_cell >= 0 &&
               static_cast<std::uint64_t>(group.size) >= rules_.min_score_size;
    }
    char letter_of(const Group& group) const {
        return rules_.colors[static_cast<std::size_t>(group.color)];
    }
    std::string at(std::int64_t row, std::int64_t col) const {
        return std::to_string(row) + ',' + std::to_string(col);
    }
    std::string words_for(const Group& group) const {
        const auto goal = board_.cell(group.goal_cell);
        return "the set of " + std::to_string(group.size) + " '" + letter_of(group) +
               "' at the goal cell " + at(goal.row, goal.col);
    }

    std::string mistake_in_line(const std::string& line, const std::string& where,
                                std::size_t number) {
        const auto named = read_set(line);
        if (!named)
            return where + "is no set: expected e.g. " + std::string(example) + ", found " +
                   in_quotes(line);
        const auto cell = at(named->row, named->col);
        if (named->row < 0 || named->row >= rules_.rows || named->col < 0 ||
            named->col >= rules_.cols)
            return where + "names the cell " + cell + ", which is not on the board";
        const int place = static_cast<int>(named->row * rules_.cols + named->col);
        if (!board_.is_goal(place))
            return where + "names the cell " + cell + ", which is no goal cell";
        const int label = grouping_.group_of(place);
        if (label < 0) return where + "names the cell " + cell + ", which is empty";
        const auto& group = grouping_.groups()[static_cast<std::size_t>(label)];
        if (!scores(group))
            return where + "names the cell " + cell + ", whose set of " +
                   std::to_string(group.size) + " is too small to be scored";
        auto& before = named_on_[static_cast<std::size_t>(label)];
        if (before > 0)
            return words_for(group) + " is named twice, on the lines " + std::to_string(before) +
                   " and " + std::to_string(number);
        before = number;
        if (named->size != group.size || named->letter != letter_of(group))
            return where + "says that the set at the cell " + cell + " has " +
                   std::to_string(named->size) + " '" + named->letter + "': expected " +
                   std::to_string(group.size) + " '" + letter_of(group) + "'";
        return {};
    }

    std::string missing() const {
        for (std::size_t i = 0; i < named_on_.size(); ++i) {
            const auto& group = grouping_.groups()[i];
            if (scores(group) && named_on_[i] == 0) return words_for(group) + " is missing";
        }
        return {};
    }

    const Rules& rules_;
    const Board& board_;
    Grouping grouping_;
    std::vector<std::size_t> named_on_;  // the line, by group; 0: none
};

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

std::string mistake_in_sets(const Rules& rules, const Board& board, std::string_view printed) {
    return SetCheck(rules, board).mistake(printed);
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
