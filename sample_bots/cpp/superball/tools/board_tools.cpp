#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "sample_bots/cpp/superball/groups.h"
#include "sample_bots/cpp/superball/players.h"
#include "sample_bots/cpp/superball/tools/tool_texts.h"

// The programs that look at one board. The build says by SB_TOOL which of them this is.

#if defined(__SANITIZE_ADDRESS__)
// Those that a grader calls: the search for leaks traces the program, which its sandbox forbids.
extern "C" const char* __asan_default_options() {
    return std::string_view(SB_TOOL).starts_with("sb-play") ? "" : "detect_leaks=0";
}
#endif

namespace {

using namespace bots::superball::tools;

constexpr std::string_view tool = SB_TOOL;

using Arguments = std::span<const char* const>;

struct Setting {
    Rules rules;
    Board board;
};

// Counts a board: cells, pieces on goal cells, their values.
int read(const Setting& setting) {
    const auto& board = setting.board;
    int pieces = 0;
    std::int64_t values = 0;
    for (int cell = 0; cell < board.size(); ++cell) {
        if (!board.is_goal(cell) || board.is_empty(cell)) continue;
        pieces += 1;
        values += engines::superball::value_of(board.at(cell));
    }
    std::printf("Empty cells:                    %2d\n", board.empty());
    std::printf("Non-Empty cells:                %2d\n", board.size() - board.empty());
    std::printf("Number of pieces in goal cells: %2d\n", pieces);
    std::printf("Sum of their values:            %2lld\n", static_cast<long long>(values));
    return exit_done;
}

// Lists the sets that can be scored, each once.
int analyze(const Setting& setting) {
    const auto& [rules, board] = setting;
    std::printf("Scoring sets:\n");
    const bots::superball::Grouping grouping(board);
    for (const auto& group : grouping.groups()) {
        if (group.goal_cell < 0 || static_cast<std::uint64_t>(group.size) < rules.min_score_size)
            continue;
        const auto goal = board.cell(group.goal_cell);
        std::printf("  Size: %2d  Char: %c  Scoring Cell: %d,%d\n", group.size,
                    rules.colors[static_cast<std::size_t>(group.color)], goal.row, goal.col);
    }
    return exit_done;
}

// Prints one move.
template <Move (*choose)(const Board& board, std::uint64_t min_score_size)>
int play(const Setting& setting) {
    const auto& [rules, board] = setting;
    constexpr int pieces_min = 2;
    if (board.size() - board.empty() < pieces_min)
        return refuse(tool, {"there is no move on a board with fewer than two pieces"});
    std::cout << engines::superball::to_text(choose(board, rules.min_score_size)) << '\n';
    return exit_done;
}

// The board comes by standard input, its rules by the arguments.
template <int (*run)(const Setting& setting)>
int with_board(Arguments arguments) {
    if (arguments.size() != rules_arguments) return refuse_usage(tool, rules_usage);
    const auto rules = read_rules(arguments);
    if (!rules) return refuse(tool, rules.error());
    const auto board = read_board(*rules, std::cin);
    if (!board) return refuse(tool, board.error());
    return run({*rules, *board});
}

// Whether what a sb-analyze printed names each set of a board that can be scored: exit status 0, or
// 1 and a line that says what is wrong. Trouble with the command line or a file is neither.
int check_sets(Arguments arguments) {
    constexpr std::string_view files_usage = " BOARD EXPECTED PRINTED";
    constexpr std::size_t files = 3;
    if (arguments.size() != rules_arguments + files)
        return refuse_usage(tool, std::string(rules_usage) + std::string(files_usage));
    const auto rules = read_rules(arguments);
    if (!rules) return refuse(tool, rules.error());
    std::ifstream input(arguments[rules_arguments]);
    const auto board = read_board(*rules, input);
    if (!board) return refuse(tool, board.error());
    // What was expected is one answer of many: the board tells all of them.
    std::ifstream file(arguments[rules_arguments + 2]);
    std::ostringstream printed;
    if (file) printed << file.rdbuf();
    if (!file.is_open())
        return refuse(tool, {std::string(arguments[rules_arguments + 2]) + " can't be read"});
    const auto mistake = mistake_in_sets(*rules, *board, printed.str());
    if (mistake.empty()) return exit_done;
    std::printf("%s\n", mistake.c_str());
    return exit_no;
}

struct Tool {
    std::string_view name;
    int (*run)(Arguments arguments);
};

constexpr Tool tools[] = {
    {"sb-read", with_board<read>},
    {"sb-analyze", with_board<analyze>},
    {"sb-check-sets", check_sets},
    {"sb-play", with_board<play<bots::superball::random_move>>},
    {"sb-play2", with_board<play<bots::superball::grouping_move>>},
    {"sb-play3", with_board<play<bots::superball::goal_move>>},
    {"sb-play4", with_board<play<bots::superball::champion_move>>},
};

}  // namespace

int main(int argc, char** argv) {
    for (const auto& [name, run] : tools) {
        if (name == tool) return run({argv + 1, static_cast<std::size_t>(argc - 1)});
    }
    return exit_bad_input;
}
