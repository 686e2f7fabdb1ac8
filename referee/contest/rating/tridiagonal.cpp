#include "referee/contest/rating/tridiagonal.h"

#include <cmath>

#include "protocol/base/assertion.h"
#include "referee/contest/rating/factor.h"

namespace referee::rating {

namespace {

// The mirror that turns x onto its first axis; nothing where x lies there already. `length` becomes
// the coordinate of x there, with the sign that loses no digits.
std::vector<double> mirror_of(std::vector<double> x, double& length) {
    length = std::sqrt(product(x, x));
    if (x[0] > 0) length = -length;
    if (std::abs(length) == std::abs(x[0])) {
        length = x[0];
        return {};
    }
    x[0] -= length;
    const double scale = 1 / std::sqrt(product(x, x));
    for (double& each : x) each *= scale;
    return x;
}

// Mirrors the square of the matrix that begins at `begin` from both sides.
void mirror_square(std::vector<double>& rows, std::size_t n, std::size_t begin,
                   const std::vector<double>& mirror) {
    const std::size_t size = mirror.size();
    std::vector<double> image(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
        const double* row = &rows[(begin + i) * n + begin];
        for (std::size_t j = 0; j < size; ++j) image[j] += mirror[i] * row[j];
    }
    const double along = product(mirror, image);
    for (std::size_t i = 0; i < size; ++i) image[i] = 2 * (image[i] - along * mirror[i]);
    for (std::size_t i = 0; i < size; ++i) {
        double* row = &rows[(begin + i) * n + begin];
        for (std::size_t j = 0; j < size; ++j) {
            row[j] -= mirror[i] * image[j] + image[i] * mirror[j];
        }
    }
}

}  // namespace

Tridiagonal::Tridiagonal(const Network& network) : players_(network.players()) {
    REFEREE_ASSERT(players_ > 0);
    auto rows = network.rows();
    for (std::size_t k = 0; k + 1 < players_; ++k) {
        const auto row = rows.begin() + static_cast<std::ptrdiff_t>(k * players_);
        diagonal_.push_back(row[static_cast<std::ptrdiff_t>(k)]);
        mirrors_.push_back(mirror_of(
            {row + static_cast<std::ptrdiff_t>(k) + 1, row + static_cast<std::ptrdiff_t>(players_)},
            beside_.emplace_back()));
        if (!mirrors_.back().empty()) mirror_square(rows, players_, k + 1, mirrors_.back());
    }
    diagonal_.push_back(rows.back());
}

void Tridiagonal::reflect(std::vector<double>& x, std::size_t by) const {
    const auto& mirror = mirrors_[by];
    double along = 0;
    for (std::size_t i = 0; i < mirror.size(); ++i) along += mirror[i] * x[by + 1 + i];
    for (std::size_t i = 0; i < mirror.size(); ++i) x[by + 1 + i] -= 2 * along * mirror[i];
}

std::vector<double> Tridiagonal::turned(std::vector<double> x) const {
    for (std::size_t k = 0; k < mirrors_.size(); ++k) reflect(x, k);
    return x;
}

std::vector<double> Tridiagonal::turned_back(std::vector<double> x) const {
    for (std::size_t k = mirrors_.size(); k-- > 0;) reflect(x, k);
    return x;
}

double Tridiagonal::quadratic(const std::vector<double>& turned) const {
    double sum = diagonal_[0] * turned[0] * turned[0];
    for (std::size_t i = 1; i < players_; ++i) {
        sum += turned[i] * (diagonal_[i] * turned[i] + 2 * beside_[i - 1] * turned[i - 1]);
    }
    return sum;
}

// With M + own = L L', where L has a diagonal and what is below it, x solves
// L' x = L^-1 pull + lots.
std::vector<double> Tridiagonal::drawn(double own, const std::vector<double>& turned_pull,
                                       double variance, Random& random) const {
    std::vector<double> ends(players_);        // L's diagonal
    std::vector<double> below(players_, 0.0);  // in row i: left of the diagonal
    std::vector<double> x(players_);
    const double scale = std::sqrt(variance);
    for (std::size_t i = 0; i < players_; ++i) {
        double left = diagonal_[i] + own;
        double right = turned_pull[i];
        if (i > 0) {
            below[i] = beside_[i - 1] / ends[i - 1];
            left -= below[i] * below[i];
            right -= below[i] * x[i - 1];
        }
        REFEREE_ASSERT(left > 0);
        ends[i] = std::sqrt(left);
        x[i] = right / ends[i];
    }
    for (double& each : x) each += scale * random.normal();
    for (std::size_t i = players_; i-- > 0;) {
        if (i + 1 < players_) x[i] -= below[i + 1] * x[i + 1];
        x[i] /= ends[i];
    }
    return x;
}

}  // namespace referee::rating
