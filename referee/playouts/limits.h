#pragma once

#include <cstdint>

namespace referee::playouts {

// A bot that thinks as long as it may is given so little in a playout: hundreds are played.
constexpr std::int64_t thinking_budget_us = 5'000;
// Far more than any game takes; a playout that is longer is a mistake of ours.
constexpr std::int64_t playout_turns_max = 1'000'000;
// Moves of a hundred that are drawn at random where nobody says otherwise: bots that always move
// alike would play one game again and again.
constexpr unsigned slips_percent_default = 10;

}  // namespace referee::playouts
