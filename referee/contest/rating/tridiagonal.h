#pragma once

#include <cstddef>
#include <vector>

#include "referee/contest/rating/network.h"
#include "referee/contest/rating/random.h"

namespace referee::rating {

// A network's matrix in coordinates that are turned so that nothing is left but its diagonal and
// what stands beside that (Householder's way). Turning keeps lengths. The time for it grows with
// the cube of the number of players; then the time for a draw grows with its square, whatever `own`
// is.
class Tridiagonal {
 public:
    // Requires: at least one player.
    explicit Tridiagonal(const Network& network);

    std::vector<double> turned(std::vector<double> x) const;
    std::vector<double> turned_back(std::vector<double> x) const;
    // x' M x of an x that is turned.
    double quadratic(const std::vector<double>& turned) const;
    // A turned draw from the normal distribution around the solution x of (M + own) x = pull, the
    // covariance being `variance` times the inverse of M + own. Requires: own > 0.
    std::vector<double> drawn(double own, const std::vector<double>& turned_pull, double variance,
                              Random& random) const;

 private:
    void reflect(std::vector<double>& x, std::size_t by) const;

    std::size_t players_;
    // Row k: the mirror, of length 1, that cleared row k; it begins at k + 1. Nothing: no mirror.
    std::vector<std::vector<double>> mirrors_;
    std::vector<double> diagonal_;
    std::vector<double> beside_;
};

}  // namespace referee::rating
