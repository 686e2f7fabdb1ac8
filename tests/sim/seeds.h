#pragma once

#include <cstdint>

namespace tests::sim {

// Which seeds a test of simulated tournaments plays: one after the other, from the first on.
struct Seeds {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    bool by_name = false;  // asked for by name: what is expected of many says nothing of them

    std::uint64_t count() const { return end - first; }
    // One of so many parts, which tests that may run beside one another play.
    Seeds part(std::uint64_t number, std::uint64_t of) const;
};

struct SeedsWanted {
    const char* alone;           // the environment's variable that names one seed
    std::uint64_t first = 1;     // in a whole run
    std::uint64_t percent = 10;  // of the 2000 runs of a whole run, or of SIM_RUNS
    std::uint64_t least = 1;     // fewer say nothing
    const char* from =
        nullptr;  // the variable that names the first: as many as always, from that one on
};

// Without such variables, a sample of all (tests/sample.h).
Seeds seeds_of(const SeedsWanted& wanted);

}  // namespace tests::sim
