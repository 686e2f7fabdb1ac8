#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace tests::sim::timing {

// So many seeds of each suite, or as many as TIMING_RUNS says; with TIMING_SEED that one alone.
// Stops behind the first seed that finds something, and names it. `runs_least`: for shares that few
// seeds don't show.
template <typename Run>
void for_each_seed(Run run, std::uint64_t runs_least = 0) {
    constexpr std::uint64_t runs_few = TIMING_RUNS_DEFAULT;
    const auto runs_default = std::max(runs_few, runs_least);
    const auto number_from = [](const char* name, std::uint64_t otherwise) {
        const char* text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
    };
    const bool one = std::getenv("TIMING_SEED") != nullptr;
    const auto first = number_from("TIMING_SEED", 1);
    const auto runs = one ? 1 : number_from("TIMING_RUNS", runs_default);
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                           "TIMING_SEED=" + std::to_string(seed));
        run(seed);
    }
}

}  // namespace tests::sim::timing
