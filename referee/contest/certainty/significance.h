#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::certainty {

// What two brought to all their matches. Matches that only repeated games count in `matches` alone.
struct PairRecord {
    std::size_t a = 0;
    std::size_t b = 0;
    std::uint64_t matches = 0;
    std::uint64_t distinct = 0;
    double share = 0;       // of the distinct ones: the sum of a's parts of the points, each 0 to 1
    double squares = 0;     // the sum of the squares of these parts
    std::uint64_t won = 0;  // by a: its part was over a half
    std::uint64_t lost = 0;
    bool settled = false;  // they would only repeat what they have played
};

struct Interval {
    double low = 0;
    double high = 1;
    bool has(double value) const { return low <= value && value <= high; }
};

// The 95% interval of a's mean share: Wilson's, for as many matches without draws as would tell as
// much. Draws scatter less, so that they make it narrower; how much they do is believed the more,
// the more matches there are. A pair that is settled has its share for sure. Everything where
// nothing was played.
Interval share_interval(const PairRecord& pair);

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
