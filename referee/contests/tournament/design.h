#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Designs: lists of pods (blocks) in which every pair of points meets equally often, or within one
// of that. A design is kept as a few base blocks that are moved through an abelian group, so that
// its blocks are worked out one by one.

namespace referee::tournament {

// Points 0 .. order-1 with an addition: numbers in mixed radix, each digit modulo its own radix.
class Group {
 public:
    explicit Group(std::vector<std::uint32_t> radices);

    std::uint32_t order() const { return order_; }
    bool cyclic() const { return radices_.size() == 1; }
    std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t negative(std::uint32_t a) const;
    std::uint32_t difference(std::uint32_t a, std::uint32_t b) const { return add(a, negative(b)); }

 private:
    std::vector<std::uint32_t> radices_;
    std::uint32_t order_ = 1;
};

// A base block and how it moves.
struct Orbit {
    std::vector<std::uint32_t> base;  // points of the group
    bool with_fixed_point = false;    // the point that never moves is in all of its blocks
    // What the base block is moved by; empty: every point of the group.
    std::vector<std::uint32_t> shifts;
};

struct Design {
    std::uint32_t points = 0;
    std::uint32_t seats = 0;
    Group group{{}};  // of all points, or of all but the last, which is then fixed
    std::vector<Orbit> orbits;
    std::uint32_t meetings_least = 0;
    std::uint32_t meetings_most = 0;

    bool has_fixed_point() const { return group.order() < points; }
    bool balanced() const { return meetings_least == meetings_most; }
    std::uint64_t blocks(std::size_t orbit) const;
    std::uint64_t blocks() const;
    // The points of a block of an orbit. Where the orbit is moved by every point of the group and
    // has no fixed point, each point stands once in each place: seats are even by themselves.
    std::vector<std::uint32_t> block(std::size_t orbit, std::uint64_t index) const;
};

// A design of blocks of `seats` out of so many points.
// meetings 0: everybody meets everybody equally often, as seldom as we can do it.
// Else: so often exactly, where we find such a design, or else so often or once more.
// Requires: 2 <= seats <= points.
Design design_for(std::uint32_t points, std::uint32_t seats, std::uint32_t meetings);

}  // namespace referee::tournament
