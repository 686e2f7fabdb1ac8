#include "referee/contest/rating/factor.h"

#include <cmath>

#include "protocol/base/assertion.h"

namespace referee::rating {

namespace {

// Four sums beside each other, which do not wait for one another.
double product_of(const double* a, const double* b, std::size_t n) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        first += a[i] * b[i];
        second += a[i + 1] * b[i + 1];
        third += a[i + 2] * b[i + 2];
        fourth += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i) first += a[i] * b[i];
    return first + second + (third + fourth);
}

}  // namespace

double product(const std::vector<double>& a, const std::vector<double>& b) {
    REFEREE_ASSERT(a.size() == b.size());
    return product_of(a.data(), b.data(), a.size());
}

Factor::Factor(const Network& network) : players_(network.players()), rows_(network.rows()) {
    for (std::size_t i = 0; i < players_; ++i) {
        double* its = &rows_[i * players_];
        for (std::size_t j = 0; j < i; ++j) {
            its[j] = (its[j] - product_of(its, row(j), j)) / row(j)[j];
        }
        const double left = its[i] - product_of(its, its, i);
        REFEREE_ASSERT(left > 0);
        its[i] = std::sqrt(left);
    }
}

std::vector<double> Factor::solved(std::vector<double> right) const {
    for (std::size_t i = 0; i < players_; ++i) {
        right[i] = (right[i] - product_of(row(i), right.data(), i)) / row(i)[i];
    }
    for (std::size_t i = players_; i-- > 0;) {
        right[i] /= row(i)[i];
        for (std::size_t j = 0; j < i; ++j) right[j] -= right[i] * row(i)[j];
    }
    return right;
}

std::vector<double> Factor::drawn(Random& random) const {
    std::vector<double> lots;
    lots.reserve(players_);
    for (std::size_t i = 0; i < players_; ++i) lots.push_back(random.normal());
    for (std::size_t i = players_; i-- > 0;) lots[i] = product_of(row(i), lots.data(), i + 1);
    return lots;
}

}  // namespace referee::rating
