#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/contests/certainty/seats.h"
#include "referee/office/run/single_game.h"

// The games from which `referee fairness` tells what seats are worth.

namespace referee::cli {

struct FairnessWish {
    run::SingleGame game;             // all but bots, params, seed and number
    std::vector<std::string> bots;    // commands, at least one
    std::vector<std::string> starts;  // params, taken in turn; at least one, which may be empty
    std::uint32_t games = 0;          // of each bot against itself, and of all bots together
    std::uint32_t seed = 1;
};

// What was played. A bot's number is its place in the wish.
struct FairnessGames {
    std::size_t seats = 2;
    // Each bot against itself in all seats; each game is a match.
    std::vector<std::vector<certainty::SeatGame>> self_play;
    // Between bots, where there are two or more: matches in which everybody has every seat once.
    std::vector<certainty::SeatGame> between;
    std::uint64_t played = 0;
    std::uint64_t forfeited = 0;  // by a bot's fault: they tell of the bot, and don't count
    std::uint64_t repeated = 0;   // matches that only repeated earlier ones: they don't count
};

struct FairnessTrouble {
    int status = 0;  // the command's
    std::string message;
};

using GamesDone = std::function<void(std::uint64_t done, std::uint64_t all)>;

// How many games are played for it, where the game has so many seats.
std::uint64_t games_of(const FairnessWish& wish, std::size_t seats);

base::Result<FairnessGames, FairnessTrouble> play_for_fairness(const FairnessWish& wish,
                                                               const GamesDone& done);

}  // namespace referee::cli
