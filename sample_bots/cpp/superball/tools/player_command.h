#pragma once

#include <optional>
#include <string>

#include "sample_bots/cpp/superball/tools/arguments.h"

namespace bots::superball::tools {

// A player program of the old kind: run once a move as `COMMAND rows cols min-score-size colors`,
// with the board on its standard input; the first line that it prints is its move.
class PlayerCommand {
 public:
    PlayerCommand(std::string command, const Rules& rules);

    // Runs it and waits for its end. Nothing where it could not be run or printed no line; what
    // it says on standard error goes where ours goes.
    std::optional<std::string> move_for(const Board& board) const;

 private:
    std::string command_line_;
};

}  // namespace bots::superball::tools
