#pragma once

#include <string_view>

#include "sample_bots/cpp/superball/strategies.h"

namespace bots::superball::tools {

using ChooseMove = Move (*)(const Board& board, std::uint64_t min_score_size);

// The whole of an sb-play program: reads the board, prints one move. Gives the exit status.
int play_once(int argc, char** argv, std::string_view tool, ChooseMove choose);

}  // namespace bots::superball::tools
