#include "referee/contest/certainty/pairs.h"

#include <algorithm>
#include <cmath>

namespace referee::certainty {
namespace {

constexpr double bell_95 = 1.959963984540054;
constexpr double coin_variance = 0.25;  // of a match without draws between equals
// So many matches without draws are thought to have been seen before, as far as scatter goes.
constexpr double scatter_before = 3;

}  // namespace

Interval share_interval(const PairRecord& pair) {
    if (pair.distinct == 0) return {};
    const auto matches = static_cast<double>(pair.distinct);
    const double mean = pair.share / matches;
    if (pair.settled) return {mean, mean};
    const double scatter = std::max(0.0, pair.squares - matches * mean * mean);
    const double undrawn = matches * mean * (1 - mean);
    const double before = scatter_before * coin_variance;
    const double as_many = matches * (undrawn + before) / (scatter + before);
    // With the correction for steps that counts take (Newcombe), so that few matches hold it too.
    const double z2 = bell_95 * bell_95;
    const double whole = 2 * (as_many + z2);
    const double other = 1 - mean;
    const double below = z2 - 2 - 1 / as_many + 4 * mean * (as_many * other + 1);
    const double above = z2 + 2 - 1 / as_many + 4 * mean * (as_many * other - 1);
    const double twice = 2 * as_many * mean + z2;
    const double low = (twice - 1 - bell_95 * std::sqrt(std::max(0.0, below))) / whole;
    const double high = (twice + 1 + bell_95 * std::sqrt(std::max(0.0, above))) / whole;
    return {mean == 0 ? 0 : std::clamp(low, 0.0, mean),
            mean == 1 ? 1 : std::clamp(high, mean, 1.0)};
}

}  // namespace referee::certainty
