#pragma once

#include <cstdint>

namespace engines::snake_labyrinth {

// SplitMix64: the same numbers on every machine. For generators of mazes and bots; the rules of
// the game draw none.
class Random {
 public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    // From 0 to limit - 1; for the small limits here as good as even. Requires: limit > 0.
    std::uint64_t below(std::uint64_t limit) { return next() % limit; }
    // Both ends included. Requires: from <= to.
    std::uint64_t between(std::uint64_t from, std::uint64_t to) {
        return from + below(to - from + 1);
    }
    bool chance(std::uint64_t percent) { return below(100) < percent; }

 private:
    std::uint64_t state_;
};

}  // namespace engines::snake_labyrinth
