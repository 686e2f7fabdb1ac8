#pragma once

#include "referee/grading/rubric/rubric.h"

namespace referee::verdict {

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
