#pragma once

#include "referee/contest/rating/sprt.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/played.h"

// "As good as the opponents": the sequential test that plays matches until it is sure.

namespace referee::verdict {

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
