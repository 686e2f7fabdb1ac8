#pragma once

#include <cstdint>
#include <string>

#include "referee/game/clock/seat_clock.h"

namespace referee::clock {

// Doubt is meant for a turn now and then. Where more than this share of at least so many turns
// passed only by doubt, something is wrong with the bot or its way.
inline constexpr double doubted_share_max = 0.1;
inline constexpr std::int64_t doubted_turns_min = 20;

// A bot's turns, and how many of them were in time only because their times are known to no better.
struct Doubts {
    std::int64_t turns = 0;
    std::int64_t by_doubt = 0;
    Duration sum{};  // taken off in these

    void count(const Charge& charge);
    void add(const Doubts& others);
    bool many() const;
};

// "30 of 100 turns were in time only by doubt, 120.000 ms taken off in all"
std::string describe(const Doubts& doubts);

}  // namespace referee::clock
