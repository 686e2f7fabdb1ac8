#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "referee/contest/certainty/seats.h"

namespace referee::certainty {

// What a game of two adds to the squares that are left, where coins decide it.
inline constexpr double coin_variance_of_game = 0.25;

// A game, and the seat in it that is looked at.
struct TargetGame {
    const SeatGame* game = nullptr;
    std::size_t seat = 0;
};

struct Estimate {
    double value = 0;
    double variance = 0;
    double freedom = 1;
};

// What the seat gives, where bots didn't have it equally often: shares are taken as the sum of what
// bots are worth and of the seat, fitted to all games at once. How it errs follows from what is
// left unexplained of each match. By match; nothing where there are hardly more matches than bots,
// or where seats hardly changed.
std::optional<Estimate> fitted_advantage(std::size_t players,
                                         const std::vector<std::vector<TargetGame>>& matches);

}  // namespace referee::certainty
