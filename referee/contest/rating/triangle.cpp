#include "referee/contest/rating/triangle.h"

#include <cmath>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::rating {
namespace {

// Rows that are added to another at once: it is then written a quarter as often.
constexpr std::size_t rows_at_once = 4;

// sums += the rows of `from` from the first on, each times its factor, up to the column `size`.
void add_rows(double* sums, const double* from, const double* factors, std::size_t rows,
              std::size_t width, std::size_t size) {
    std::size_t k = 0;
    for (; k + rows_at_once <= rows; k += rows_at_once) {
        const double* first = from + k * width;
        const double* second = first + width;
        const double* third = second + width;
        const double* fourth = third + width;
        const double f = factors[k];
        const double g = factors[k + 1];
        const double h = factors[k + 2];
        const double l = factors[k + 3];
        for (std::size_t j = 0; j < size; ++j)
            sums[j] += (f * first[j] + g * second[j]) + (h * third[j] + l * fourth[j]);
    }
    for (; k < rows; ++k) {
        const double* row = from + k * width;
        for (std::size_t j = 0; j < size; ++j) sums[j] += factors[k] * row[j];
    }
}

}  // namespace

double dot(const double* a, const double* b, std::size_t size) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    std::size_t i = 0;
    for (; i + rows_at_once <= size; i += rows_at_once) {
        first += a[i] * b[i];
        second += a[i + 1] * b[i + 1];
        third += a[i + 2] * b[i + 2];
        fourth += a[i + 3] * b[i + 3];
    }
    for (; i < size; ++i) first += a[i] * b[i];
    return (first + second) + (third + fourth);
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    REFEREE_ASSERT(a.size() == b.size());
    return dot(a.data(), b.data(), a.size());
}

Triangle::Triangle(std::vector<double> matrix, std::size_t size)
    : size_(size), rows_(std::move(matrix)) {
    REFEREE_ASSERT(rows_.size() == size * size);
    for (std::size_t i = 0; i < size_; ++i) {
        double* its = &rows_[i * size_];
        for (std::size_t j = 0; j < i; ++j) its[j] = (its[j] - dot(its, row(j), j)) / row(j)[j];
        const double left = its[i] - dot(its, its, i);
        REFEREE_ASSERT(left > 0);
        its[i] = std::sqrt(left);
    }
}

std::vector<double> Triangle::solved(std::vector<double> right) const {
    for (std::size_t i = 0; i < size_; ++i)
        right[i] = (right[i] - dot(row(i), right.data(), i)) / row(i)[i];
    for (std::size_t i = size_; i-- > 0;) {
        right[i] /= row(i)[i];
        for (std::size_t j = 0; j < i; ++j) right[j] -= right[i] * row(i)[j];
    }
    return right;
}

// The inverse of L first, a triangle too; then the product of its mirror image and itself.
std::vector<double> Triangle::inverse() const {
    std::vector<double> turned(size_ * size_, 0);
    std::vector<double> factors(size_);
    for (std::size_t i = 0; i < size_; ++i) {
        double* its = &turned[i * size_];
        for (std::size_t j = 0; j < i; ++j) factors[j] = -row(i)[j];
        add_rows(its, turned.data(), factors.data(), i, size_, i);
        its[i] = 1;
        for (std::size_t j = 0; j <= i; ++j) its[j] /= row(i)[i];
    }
    std::vector<double> inverse(size_ * size_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
        // Row i of the triangle's mirror image begins in its column i.
        for (std::size_t k = i; k < size_; ++k) factors[k - i] = turned[k * size_ + i];
        add_rows(&inverse[i * size_], &turned[i * size_], factors.data(), size_ - i, size_, i + 1);
    }
    for (std::size_t i = 0; i < size_; ++i)
        for (std::size_t j = 0; j < i; ++j) inverse[j * size_ + i] = inverse[i * size_ + j];
    return inverse;
}

std::vector<double> multiplied(const std::vector<double>& a, const std::vector<double>& b,
                               std::size_t size) {
    REFEREE_ASSERT(a.size() == size * size && b.size() == size * size);
    std::vector<double> product(size * size, 0);
    for (std::size_t i = 0; i < size; ++i)
        add_rows(&product[i * size], b.data(), &a[i * size], size, size, size);
    return product;
}

}  // namespace referee::rating
