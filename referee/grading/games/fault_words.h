#pragma once

#include <string>

#include "engines/game.h"
#include "referee/game/result/game_result.h"

namespace referee::grading {

// The game with that seat's faults as a student may best read them: times as people say them, how
// much too late an answer came in the end, and what the bot said of the move. An adapter's words
// (`by_adapter`) tell what the program printed: so they are the cause, and what the game says of
// it comes behind. `games`: the run's folder, where replays and the bots' own words lie.
GameResult with_words(GameResult result, engines::Seat seat, bool by_adapter,
                      const std::string& games);

// The game's replay in the run's folder; empty where there is none.
std::string replay_of(const std::string& games, const GameKey& key);

}  // namespace referee::grading
