#pragma once

#include <cstdint>
#include <vector>

namespace referee::certainty {

// Chances of errors, corrected so that each is that of any error among all of them, by Holm's way.
std::vector<double> holm_corrected(std::vector<double> p);

// Student's distribution. How likely a value is that lies at least so far from 0, to either side.
// Requires: freedom > 0.
double student_two_sided(double t, double freedom);

// The t beyond which, to either side, lies so much of it. Requires: 0 < outside < 1, freedom > 0.
double student_quantile(double outside, double freedom);

// The same of the bell curve of variance 1.
double normal_quantile(double outside);

// Of so many coins, thrown `heads + tails` times: how likely a result is that is at least so
// uneven, to either side.
double coin_two_sided(std::uint64_t heads, std::uint64_t tails);

}  // namespace referee::certainty
