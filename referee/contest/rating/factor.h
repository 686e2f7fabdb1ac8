#pragma once

#include <cstddef>
#include <vector>

#include "referee/contest/rating/network.h"
#include "referee/contest/rating/random.h"

namespace referee::rating {

// Requires: both have the same length.
double product(const std::vector<double>& a, const std::vector<double>& b);

// A network's matrix written out and factored, M = L L' with a triangle L (Cholesky's way). The
// time for that grows with the cube of the number of players; then the time for each solution and
// each draw grows with its square, however many have met.
class Factor {
 public:
    // Requires: `own` is over 0 for everybody.
    explicit Factor(const Network& network);

    // The x with M x = right.
    std::vector<double> solved(std::vector<double> right) const;
    // A draw from the normal distribution around 0 whose covariance is M.
    std::vector<double> drawn(Random& random) const;

 private:
    const double* row(std::size_t i) const { return &rows_[i * players_]; }

    std::size_t players_;
    std::vector<double> rows_;  // of L; what is beyond its diagonal means nothing
};

}  // namespace referee::rating
