#pragma once

#include <cstddef>
#include <cstdint>

namespace bots::superball {

// SplitMix64: a bot's own random numbers, the same on every machine, and nothing to do with those
// that the game deals by.
class SplitMix {
 public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    // From 0 to below the bound. Requires: bound > 0.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
    std::uint64_t state_;
};

}  // namespace bots::superball
