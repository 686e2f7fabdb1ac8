#include "referee/contests/rating/random.h"

#include <cmath>

#include "protocol/json/assertion.h"

namespace referee::rating {

namespace {

constexpr std::uint64_t stride = 0x9E3779B97F4A7C15U;

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

}  // namespace

std::uint64_t Random::next() {
    state_ += stride;
    return mixed(state_);
}

std::uint64_t Random::below(std::uint64_t bound) {
    REFEREE_ASSERT(bound > 0);
    // The part of the range that would make small numbers likelier is drawn again.
    const std::uint64_t uneven = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < uneven) drawn = next();
    return drawn % bound;
}

double Random::unit() {
    constexpr unsigned spare_bits = 64 - 53;
    constexpr double unit_of_53_bits = 1.0 / static_cast<double>(std::uint64_t{1} << 53U);
    return static_cast<double>(next() >> spare_bits) * unit_of_53_bits;
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
    return mixed(mixed(seed + stride) ^ (purpose * stride + stride));
}

}  // namespace referee::rating
