#pragma once

#include <cstddef>
#include <vector>

// Dense matrices row by row, of `size` rows and columns. Sums run along rows, as memory does, and
// several at once, so that the compiler can add them side by side; always in the same order.

namespace referee::rating {

// The sum of the products of two rows.
double dot(const double* a, const double* b, std::size_t size);
// Requires: both have the same length.
double dot(const std::vector<double>& a, const std::vector<double>& b);

// A matrix that is its own mirror image and positive, M = L L' with a triangle L (Cholesky's way).
// Made and turned round in a time that grows with the cube of the size; a solution takes one that
// grows with its square.
class Triangle {
 public:
    Triangle() = default;
    // Of `matrix` only what is on the diagonal and below it is read. Requires: it is positive.
    Triangle(std::vector<double> matrix, std::size_t size);

    std::size_t size() const { return size_; }
    // The x with M x = right.
    std::vector<double> solved(std::vector<double> right) const;
    // The inverse of M, all of it.
    std::vector<double> inverse() const;

 private:
    const double* row(std::size_t i) const { return &rows_[i * size_]; }

    std::size_t size_ = 0;
    std::vector<double> rows_;
};

// a times b.
std::vector<double> multiplied(const std::vector<double>& a, const std::vector<double>& b,
                               std::size_t size);

}  // namespace referee::rating
