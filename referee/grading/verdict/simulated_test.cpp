#include "referee/grading/verdict/simulated_test.h"

#include "protocol/base/split_mix.h"
#include "referee/grading/verdict/as_good.h"

namespace referee::verdict {
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
        const auto says = test_result(test.state().verdict);
        const bool passes =
            says == PlayedSeries::Test::as_good ||
            (says == PlayedSeries::Test::undecided && is_good_so_far(asked, won / matches));
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
