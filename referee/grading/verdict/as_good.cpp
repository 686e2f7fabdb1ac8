#include "referee/grading/verdict/as_good.h"

#include <cmath>

#include "protocol/base/split_mix.h"

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

double least_share(const rubric::AsGoodAs& asked) {
    const auto from_fair = deviations(asked.fails_fair);
    const auto part = from_fair / (from_fair + deviations(asked.passes_worse));
    return asked.fair - (asked.fair - asked.worse) * part;
}

namespace {

// So that a chance of 1% is known to a tenth of it, in a part of a second.
constexpr int programs = 10'000;
constexpr std::uint64_t seed = 1;
constexpr std::uint64_t lots = 1'000'000;

Simulated simulated_with(const rubric::AsGoodAs& asked, double win) {
    base::SplitMix random(seed);
    Simulated sum;
    for (int program = 0; program < programs; ++program) {
        rating::SequentialTest test(test_limits(asked));
        double won = 0;
        while (test.state().verdict == rating::SprtVerdict::undecided &&
               test.state().matches < asked.matches_max) {
            const bool wins = static_cast<double>(random.below(lots)) < win * lots;
            won += wins ? 1 : 0;
            test.add(wins ? 1 : 0);
        }
        const auto matches = static_cast<double>(test.state().matches);
        const auto says = test.state().verdict;
        const bool passes =
            says == rating::SprtVerdict::stronger ||
            (says == rating::SprtVerdict::undecided && won / matches >= least_share(asked));
        sum.passed += passes ? 1 : 0;
        sum.matches += matches;
    }
    return {sum.passed / programs, sum.matches / programs};
}

}  // namespace

SimulatedTest simulated(const rubric::AsGoodAs& asked) {
    return {simulated_with(asked, asked.fair), simulated_with(asked, asked.worse)};
}

}  // namespace referee::verdict
