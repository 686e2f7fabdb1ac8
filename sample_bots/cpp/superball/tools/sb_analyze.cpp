#include <cstdio>

#include "sample_bots/cpp/superball/groups.h"
#include "sample_bots/cpp/superball/tools/arguments.h"

// Lists the sets that can be scored, each once.
int main(int argc, char** argv) {
    using namespace bots::superball::tools;
    const auto read = read_setting(argc, argv, "sb-analyze");
    if (!read) return read.error();
    const auto& [rules, board] = *read;
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
