#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/game/result/game_result.h"
#include "referee/grading/verdict/grade.h"
#include "referee/grading/verdict/played.h"

// What replays show of games that cost points. `games` is the run's folder, where they lie.

namespace referee::grading {

// What its pieces did, as the engine tells it of the game played again; nothing where it doesn't,
// or where there is no replay.
struct ToldPlay {
    std::string all;  // "; the ship moved in 3 of 49 turns"
    // What shows nothing of a map, each thing by itself: `it only ever answered "D" (down)`.
    std::vector<std::string> in_kind;
};
ToldPlay told_play(const engines::Game& rules, const GameResult& result, engines::Seat seat,
                   const std::string& games);

// Shows the boards on which points were lost, of games whose state is a board of rows of letters:
// of each step that lacks some and isn't hidden, those of the games that its reasons name, in the
// turn that they name, with what the program answered. Of a program in a handout's form it is
// its input, with the command that runs it so; where that is asked once, of all games that it lost.
void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade);

}  // namespace referee::grading
