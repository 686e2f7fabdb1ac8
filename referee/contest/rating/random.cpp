#include "referee/contest/rating/random.h"

#include <cmath>

#include "protocol/base/assertion.h"

namespace referee::rating {

std::uint64_t Random::below(std::uint64_t bound) {
    REFEREE_ASSERT(bound > 0);
    // The part of the range that would make small numbers likelier is drawn again.
    const std::uint64_t uneven = (0 - bound) % bound;
    std::uint64_t drawn = numbers_.next();
    while (drawn < uneven) drawn = numbers_.next();
    return drawn % bound;
}

double Random::unit() {
    constexpr unsigned spare_bits = 64 - 53;
    constexpr double unit_of_53_bits = 1.0 / static_cast<double>(std::uint64_t{1} << 53U);
    return static_cast<double>(numbers_.next() >> spare_bits) * unit_of_53_bits;
}

double Random::normal() {
    constexpr double full_turn = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(full_turn * unit());
}

// Marsaglia and Tsang's way: a cubed normal number, now and then refused.
double Random::gamma(double shape) {
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

std::uint64_t derived_seed(std::uint64_t seed, std::uint64_t purpose) {
    return base::SplitMix::mixed(base::SplitMix::mixed(seed + base::SplitMix::stride) ^
                                 (purpose * base::SplitMix::stride + base::SplitMix::stride));
}

}  // namespace referee::rating
