#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// What an edge is worth, as terms of a wide binary number.

namespace referee::pairing {

struct Term {
    std::uint64_t value = 0;
    std::size_t shift = 0;
};

class Valuation {
 public:
    virtual ~Valuation() = default;

    // Wide enough for the sum over any matching.
    virtual std::size_t bits() const = 0;

    // Appends the terms of edge (u, v). Requires: u < v.
    virtual void terms(int u, int v, std::vector<Term>& terms) const = 0;
};

// Gives bits to quantities, the least significant ones first.
class BitLayout {
 public:
    struct Place {
        std::size_t shift = 0;
        bool used = false;  // a quantity that is always zero has no bits
    };

    Place place(std::uint64_t greatest);
    std::size_t bits() const { return bits_; }

 private:
    std::size_t bits_ = 0;
};

}  // namespace referee::pairing
