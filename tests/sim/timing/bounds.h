#pragma once

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/sample.h"
#include "tests/sim/timing/timed_room.h"

namespace tests::sim::timing {

// What the clock's page promises of a bot's way, reckoned a second time from the truth.

// The most that counts of a way to that address.
Duration cap_of(const std::string& address);
// The most that jitter can add to a turn with this budget.
Duration jitter_counts(Duration budget);
// A new connection is believed to shake so much until it has had so many lines.
inline constexpr unsigned unknown_lines = 16;

// What the verdicts on honest bots came to.
struct Fairness {
    std::size_t turns = 0;
    // By a millisecond and what its jitter may be beyond what counts, on a way that is never above
    // its cap.
    std::size_t clearly_in_time = 0;
    std::size_t falsely_late = 0;  // of those
    std::size_t late = 0;
    // Of those that thought for longer than the budget, when their line was not new any more.
    std::size_t known_late = 0;
    std::size_t passed = 0;
    Duration passed_by{};
    Duration charged_too_much{};    // the most, of what they thought
    Duration charged_too_little{};  // the same
};

// A bot that does nothing but answer: never late where its way was no longer than what was measured
// of it; never charged less than its thought by more than its way's jitter; never passed by more
// than jitter may count.
void check_honest(const Judged& judged, Fairness& fairness);

// What the moments of sending and arrival came to, which are known as intervals.
struct Moments {
    std::size_t turns = 0;
    std::size_t in_doubt = 0;
    std::size_t truly_late = 0;
    std::size_t passed = 0;  // of those
};

// A bot on a short and steady way: never late where it truly was in time; it passes where it was
// late only as far as the referee did not know when it sent, or did not look; and it is never
// charged more than passed from the first moment of sending to the reading of its line. A call of
// the kernel takes `call_most`.
void check_moments(const Judged& judged, Duration call_most, Moments& moments);

// A sample of the seeds of each suite (tests/sample.h), or as many as TIMING_RUNS says; with
// TIMING_SEED that one alone. Stops behind the first seed that finds something, and names it.
// `runs_least`: for shares that few seeds don't show.
inline constexpr std::uint64_t runs_of_shares = 200;
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
