#pragma once

#include "referee/contests/rating/sprt.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/played.h"

// "As good as the opponents": the sequential test that plays matches until it is sure.

namespace referee::verdict {

// Of a SequentialTest that looks at the shares of the points of matches: "stronger" says that the
// program is as good, "not stronger" that it is clearly worse.
rating::SprtLimits test_limits(const rubric::AsGoodAs& asked);
// What the test says; a test that is to end without a verdict is `undecided`.
PlayedSeries::Test test_result(rating::SprtVerdict verdict);
// What decides without a verdict: whether the share so far is nearer to `fair` than to `worse`.
bool is_nearer_to_fair(const rubric::AsGoodAs& asked, double share);

}  // namespace referee::verdict
