#pragma once

#include <cstddef>
#include <string>

#include "referee/grading/rubric/rubric.h"

// How sure a step is: with which chance it passes a program that is exactly at its threshold, and
// one of a known strength.

namespace referee::verdict {

// A program that wins each game with this chance wins at least `wins` of `games`.
double chance_of_wins(double win, std::uint32_t games, std::uint32_t wins);

// Of a program that wins half of its games: the shares of them that it wins in most cases, a
// standard deviation to either side, and in how many cases it does.
struct Spread {
    double least = 0;
    double most = 1;
    double chance = 1;
};
Spread spread_of_wins(std::uint32_t games);

// Sentences for students: "A program that wins exactly so many on average (2 of 3) passes in 74 of
// 100 cases, ...". `games`: how many the step judges; 0: nobody knows.
std::string chances_of(const rubric::Step& step, const rubric::Series& series, std::uint32_t games);

}  // namespace referee::verdict
