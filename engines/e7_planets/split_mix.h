#pragma once

#include <cstddef>
#include <cstdint>

namespace engines::e7_planets {

// SplitMix64 by Steele, Lea and Flood: small, and the same numbers on every machine.
class SplitMix {
 public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        auto z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }

    // From `least` to `most`, both included.
    std::int64_t between(std::int64_t least, std::int64_t most) {
        const auto range = static_cast<std::uint64_t>(most - least) + 1;
        return least + static_cast<std::int64_t>(next() % range);
    }

    // An index below `size`. Requires: size > 0.
    std::size_t below(std::size_t size) { return static_cast<std::size_t>(next() % size); }

    // True in `percent` of 100 cases.
    bool chance(std::int64_t percent) { return between(1, 100) <= percent; }

 private:
    std::uint64_t state_;
};

}  // namespace engines::e7_planets
