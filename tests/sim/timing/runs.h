#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/sample.h"

namespace tests::sim::timing {

// A sample of the seeds of each suite (tests/sample.h), or as many as TIMING_RUNS says; with
// TIMING_SEED that one alone. Stops behind the first seed that finds something, and names it.
// `runs_least`: for shares that few seeds don't show.
template <typename Run>
void for_each_seed(Run run, std::uint64_t runs_least = 0, std::uint64_t seeds_of_a_suite = 200) {
    const bool one = std::getenv("TIMING_SEED") != nullptr;
    auto sample = sampled_stretch(seeds_of_a_suite, TIMING_SAMPLED_OF, TIMING_WHOLE_OF);
    if (std::getenv("TIMING_RUNS") != nullptr) sample.first = 0;
    const auto first = number_from("TIMING_SEED", 1 + sample.first);
    const auto runs = one ? 1 : number_from("TIMING_RUNS", std::max(sample.count, runs_least));
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                           "TIMING_SEED=" + std::to_string(seed));
        run(seed);
    }
}

}  // namespace tests::sim::timing
