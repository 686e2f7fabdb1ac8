#include "referee/grading/verdict/as_good.h"

#include <cmath>

namespace referee::verdict {
namespace {

// The strength that brings this share of the points.
double elo_of(double share) {
    constexpr double elo_scale = 400;
    return elo_scale * std::log10(share / (1 - share));
}

}  // namespace

rating::SprtLimits test_limits(const rubric::AsGoodAs& asked) {
    return {.elo0 = elo_of(asked.worse),
            .elo1 = elo_of(asked.fair),
            .alpha = asked.passes_worse,
            .beta = asked.fails_fair};
}

PlayedSeries::Test test_result(rating::SprtVerdict verdict) {
    switch (verdict) {
        case rating::SprtVerdict::stronger:
            return PlayedSeries::Test::as_good;
        case rating::SprtVerdict::not_stronger:
            return PlayedSeries::Test::worse;
        case rating::SprtVerdict::undecided:
            break;
    }
    return PlayedSeries::Test::undecided;
}

bool is_nearer_to_fair(const rubric::AsGoodAs& asked, double share) {
    return share >= (asked.fair + asked.worse) / 2;
}

}  // namespace referee::verdict
