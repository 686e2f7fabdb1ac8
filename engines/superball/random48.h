#pragma once

#include <cstdint>

namespace engines::superball {

// The C library's 48-bit generator, as srand48() seeds it and lrand48() draws from it. The game
// deals by it, so that a seed gives the same pieces on every machine.
class Random48 {
 public:
    explicit constexpr Random48(std::uint32_t seed)
        : state_((std::uint64_t{seed} << seed_shift) + seed_tail) {}

    // The next number, from 0 to 2^31 - 1.
    constexpr std::uint32_t draw() {
        state_ = (multiplier * state_ + increment) & state_mask;
        return static_cast<std::uint32_t>(state_ >> discarded_bits);
    }

 private:
    static constexpr std::uint64_t multiplier = 0x5DEECE66D;
    static constexpr std::uint64_t increment = 0xB;
    static constexpr std::uint64_t state_mask = (std::uint64_t{1} << 48U) - 1;
    static constexpr std::uint64_t seed_tail = 0x330E;
    static constexpr unsigned seed_shift = 16;
    static constexpr unsigned discarded_bits = 17;

    std::uint64_t state_;
};

}  // namespace engines::superball
