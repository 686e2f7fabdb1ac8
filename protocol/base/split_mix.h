#pragma once

#include <cstdint>

namespace base {

// SplitMix64 by Steele, Lea and Flood: small, and the same numbers on every machine. Its state is
// its seed: copy it to draw the same numbers again.
class SplitMix {
 public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += stride;
        return mixed(state_);
    }

    // From 0 to bound - 1; for bounds far below 2^64 as good as even. Requires: bound > 0.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

    // From `least` to `most`, both included. Requires: least <= most.
    std::uint64_t between(std::uint64_t least, std::uint64_t most) {
        return least + below(most - least + 1);
    }

    // True in `percent` of 100 cases.
    bool chance(std::uint64_t percent) { return below(100) < percent; }

    // Any two numbers give unrelated ones, however near they are.
    static constexpr std::uint64_t mixed(std::uint64_t number) {
        number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        number = (number ^ (number >> 27U)) * 0x94D049BB133111EBULL;
        return number ^ (number >> 31U);
    }

    static constexpr std::uint64_t stride = 0x9E3779B97F4A7C15ULL;

 private:
    std::uint64_t state_;
};

}  // namespace base
