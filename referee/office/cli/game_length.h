#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engines/game.h"
#include "referee/config/config.h"
#include "referee/contests/tournament/schedule.h"
#include "referee/games/clock/time.h"
#include "referee/office/cli/played_times.h"
#include "referee/office/cli/round_time.h"

// How long a game of a tournament takes.

namespace referee::cli {

struct LongestGame {
    GameTime game;
    std::int64_t turns = 0;
};

// Of all setups of the tournament; nothing where one has no end. `start_within`: what it may wait
// for its bots to be launched, in seconds.
std::optional<LongestGame> longest_game(const config::TournamentConfig& tournament,
                                        const engines::Game& game, std::size_t seats,
                                        double start_within, bool all_launched);

// As its bots played before; nothing where no such game is known.
std::optional<GameTime> usual_game(const config::TournamentConfig& tournament,
                                   const std::vector<tournament::Entry>& entries,
                                   const engines::Game& game, const PlayedTimes& played,
                                   std::size_t seats);

// As somebody says. Bots that think at once think as long as the game takes.
GameTime told_game(Duration time, std::size_t thinks_at_once);

}  // namespace referee::cli
