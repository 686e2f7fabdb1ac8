#pragma once

#include <cstddef>
#include <span>

// What a sample says of what can't be seen: intervals that cover the truth at least as often as
// they say, however few values there are and whatever their distribution is.

namespace referee::review {

struct Interval {
    double low = 0;
    double high = 0;

    bool has(double value) const { return low <= value && value <= high; }
};

// How often an interval covers the truth, at least.
inline constexpr double level = 0.95;

double mean_of(std::span<const double> values);
// Of an even number, the mean of the two in the middle.
double middle_of(std::span<const double> values);

// Of the mean of values from 0 to 1, by Chernoff's bound as Hoeffding has it for such values: draws
// and places between count as they are, and at the ends it is narrow. Requires: values.
Interval mean_interval(std::span<const double> values, double covered = level);

// Of the mean of values from -1 to 1, such as differences of pairs: what is gained and what is lost
// each have an interval, so pairs that are alike make it narrow. Requires: values.
Interval difference_interval(std::span<const double> values);

// Of the middle of a distribution, by the order of the values alone. With fewer than playouts_min
// values it goes from the least to the greatest and covers less. Requires: values.
Interval middle_interval(std::span<const double> values);

// Pairs of playouts by which a loss of so much, from 0 to 0.5, can be told from chance, where the
// position was even and the luck of a pair's two has nothing in common. Not more than playouts_max.
std::size_t playouts_to_see(double loss);

}  // namespace referee::review
