#include "referee/grading/verdict/as_good.h"

#include <cmath>

namespace referee::verdict {
namespace {

// The test asks for this much of the chances that are promised: it doesn't know the distribution of
// shares, and ends at matches_max, which both cost some certainty. A test shows what is left.
constexpr double part_of_chance = 0.5;

// How many standard deviations off something lies that happens with this chance, up to a factor.
double deviations(double chance) {
    return std::sqrt(-std::log(chance));
}

// The strength that brings this share of the points.
double elo_of(double share) {
    constexpr double elo_scale = 400;
    return elo_scale * std::log10(share / (1 - share));
}

}  // namespace

rating::SprtLimits test_limits(const rubric::AsGoodAs& asked) {
    return {.elo0 = elo_of(asked.worse),
            .elo1 = elo_of(asked.fair),
            .alpha = asked.passes_worse * part_of_chance,
            .beta = asked.fails_fair * part_of_chance};
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

bool is_good_so_far(const rubric::AsGoodAs& asked, double share) {
    const auto from_fair = deviations(asked.fails_fair);
    const auto part = from_fair / (from_fair + deviations(asked.passes_worse));
    return share >= asked.fair - (asked.fair - asked.worse) * part;
}

}  // namespace referee::verdict
