#include "sample_bots/cpp/superball/tools/play_once.h"

#include <iostream>

#include "sample_bots/cpp/superball/tools/arguments.h"

namespace bots::superball::tools {

int play_once(int argc, char** argv, std::string_view tool, ChooseMove choose) {
    const auto read = read_setting(argc, argv, tool);
    if (!read) return read.error();
    const auto& [rules, board] = *read;
    constexpr int pieces_min = 2;
    if (board.size() - board.empty() < pieces_min) {
        return refuse(tool, {"there is no move on a board with fewer than two pieces"});
    }
    std::cout << engines::superball::to_text(choose(board, rules.min_score_size)) << '\n';
    return exit_done;
}

}  // namespace bots::superball::tools
