#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "protocol/base/split_mix.h"

namespace referee::rating {

// Random numbers that are the same on every machine for a seed (SplitMix64).
class Random {
 public:
    explicit Random(std::uint64_t seed) : numbers_(seed) {}

    std::uint64_t next() { return numbers_.next(); }
    // Evenly from 0 .. bound-1. Requires: bound > 0.
    std::uint64_t below(std::uint64_t bound);
    // Evenly from [0, 1).
    double unit();
    // From the bell curve around 0 of variance 1.
    double normal();
    // From the gamma distribution of scale 1. Requires: shape > 0.
    double gamma(double shape);

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
std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose);

}  // namespace referee::rating
