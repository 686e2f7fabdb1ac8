#include <cstdio>

#include "sample_bots/cpp/superball/tools/arguments.h"

// Counts a board: cells, pieces on goal cells, their values.
int main(int argc, char** argv) {
    using namespace bots::superball::tools;
    const auto read = read_setting(argc, argv, "sb-read");
    if (!read) return read.error();
    const auto& board = read->board;
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
