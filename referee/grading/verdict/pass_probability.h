#pragma once

#include <string>

#include "referee/contest/rating/sprt.h"
#include "referee/grading/rubric/rubric.h"

// How sure a step is: with which chance it passes a program that is exactly at its threshold, and
// one of a known strength.

namespace referee::verdict {

// A program that wins each game with this chance wins at least `wins` of `games`.
double chance_of_wins(double win, std::uint32_t games, std::uint32_t wins);

// Sentences for students: "A program that wins exactly so many on average (2 of 3) passes in 74 of
// 100 cases, ...". `games`: how many the step judges; 0: nobody knows.
std::string chances_of(const rubric::Step& step, const rubric::Series& series, std::uint32_t games);

// "As good as the opponents": the sequential test that plays matches until it is sure.

// Of a SequentialTest that looks at the shares of the points of matches: "stronger" says that the
// program is as good, "not stronger" that it is clearly worse.
rating::SprtLimits test_limits(const rubric::AsGoodAs& asked);
// What decides where matches_max came before a verdict: the least share that passes. It lies
// between `worse` and `fair`, the farther from the one that is to be missed less often.
double least_share(const rubric::AsGoodAs& asked);

// What the sequential test says of simulated programs whose matches are won or lost: as often as
// `fair` and as `worse` of its terms say. The same terms give the same numbers.
struct Simulated {
    double passed = 0;   // the share of programs
    double matches = 0;  // on average
};
struct SimulatedTest {
    Simulated fair;
    Simulated worse;
};
SimulatedTest simulated(const rubric::AsGoodAs& asked);

}  // namespace referee::verdict
