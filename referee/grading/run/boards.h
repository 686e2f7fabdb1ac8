#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/grading/verdict/grade.h"
#include "referee/grading/verdict/played.h"

namespace referee::grading {

// Shows the boards on which points were lost, of games whose state is a board of rows of letters:
// of each step that lacks some and isn't hidden, the first game's, in the turn of its first fault.
// Of a program in a handout's form it is its input, with the command that runs it so; of a Snake
// that is still inside, where it stood. `games` is the run's folder, where replays lie.
void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade);

}  // namespace referee::grading
