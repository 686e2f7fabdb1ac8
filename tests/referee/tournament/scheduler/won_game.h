#pragma once

#include "referee/game/result/game_result.h"

namespace tests {

// As a game of two ends that nobody plays: it was played to its end, and one of them won.
inline void end_well(referee::GameResult& result, bool first_wins) {
    using engines::Score;
    result.game = "walls";
    result.reason = "ended by the game's rules";
    result.outcome.scores = {Score::whole(first_wins ? 2 : 0), Score::whole(first_wins ? 0 : 2)};
    result.outcome.placing = {first_wins ? 1 : 2, first_wins ? 2 : 1};
    result.outcome.detail = "{}";
    result.turns = 9;
    result.clock_kind = "turn";
    result.measure = "wall";
    result.used_us = {5, 7};
}

}  // namespace tests
