#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"

namespace referee::rating {

// Random numbers that are the same on every machine for a seed (SplitMix64).
class Random {
 public:
    explicit Random(std::uint64_t seed) : numbers_(seed) {}

    std::uint64_t next() { return numbers_.next(); }
    // Evenly from 0 .. bound-1. Requires: bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        REFEREE_ASSERT(bound > 0);
        // The part of the range that would make small numbers likelier is drawn again.
        const std::uint64_t uneven = (0 - bound) % bound;
        std::uint64_t drawn = numbers_.next();
        while (drawn < uneven) drawn = numbers_.next();
        return drawn % bound;
    }
    // Evenly from [0, 1).
    double unit() {
        constexpr unsigned spare_bits = 64 - 53;
        constexpr double unit_of_53_bits = 1.0 / static_cast<double>(std::uint64_t{1} << 53U);
        return static_cast<double>(numbers_.next() >> spare_bits) * unit_of_53_bits;
    }
    // From the bell curve around 0 of variance 1.
    double normal() {
        constexpr double full_turn = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(1 - unit()));
        return radius * std::cos(full_turn * unit());
    }
    // From the gamma distribution of scale 1, by Marsaglia and Tsang's way: a cubed normal number,
    // now and then refused. Requires: shape > 0.
    double gamma(double shape) {
        REFEREE_ASSERT(shape > 0);
        if (shape < 1) {
            const double larger = gamma(shape + 1);
            return larger * std::pow(1 - unit(), 1 / shape);
        }
        const double d = shape - 1.0 / 3;
        const double c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double x = normal();
            const double root = 1 + c * x;
            if (root <= 0) continue;
            const double v = root * root * root;
            if (std::log(1 - unit()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
        }
    }

    // Requires: the elements can be swapped.
    template <typename T>
    void shuffle(std::span<T> items) {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }

 private:
    base::SplitMix numbers_;
};

// A seed for one purpose, derived from another: different purposes give unrelated seeds.
inline std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose) {
    return base::SplitMix::mixed(base::SplitMix::mixed(seed + base::SplitMix::stride) ^
                                 (purpose * base::SplitMix::stride + base::SplitMix::stride));
}

}  // namespace referee::rating
