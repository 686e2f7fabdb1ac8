#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contests/tournament/design.h"
#include "referee/contests/tournament/difference_search.h"

namespace referee::tournament {

namespace {

// Up to so many points an exactly balanced design is looked for; beyond, the search takes long.
constexpr std::uint32_t balanced_points_most = 300;
// Searches that succeed need no more moves than this, measured for 3 to 8 seats.
constexpr std::uint64_t moves_per_pair = 300;
constexpr std::uint64_t moves_least = 50'000;
// The tightest designs take long to find. So in large fields a nearly balanced design begins with
// more pods than the fewest possible: with one in so many of those that it may have beyond them.
constexpr std::uint64_t slack_share = 4;

std::uint64_t moves_for(std::uint64_t order) {
    return std::max(moves_least, order * order * moves_per_pair);
}

// The cyclic group, and those in which a prime's square is split up.
std::vector<Group> groups_of(std::uint32_t order) {
    std::vector<Group> groups{Group({order})};
    for (std::uint32_t p = 2; p * p <= order; ++p) {
        if (order % (p * p) != 0) continue;
        groups.push_back(Group({p, order / p}));
        if (order % (p * p * p) == 0) groups.push_back(Group({p, p, order / p / p}));
    }
    return groups;
}

// A subgroup of that size made of the multiples of one point, if there is one.
std::vector<std::uint32_t> subgroup(const Group& group, std::uint32_t size) {
    for (std::uint32_t point = 1; point < group.order(); ++point) {
        std::vector<std::uint32_t> members{0};
        for (auto next = point; next != 0; next = group.add(next, point)) members.push_back(next);
        if (members.size() == size) return members;
    }
    return {};
}

// One shift for each coset, so that the subgroup's translates are each taken once.
std::vector<std::uint32_t> cosets(const Group& group, const std::vector<std::uint32_t>& members) {
    std::vector<bool> seen(group.order(), false);
    std::vector<std::uint32_t> shifts;
    for (std::uint32_t point = 0; point < group.order(); ++point) {
        if (seen[point]) continue;
        shifts.push_back(point);
        for (const auto member : members) seen[group.add(point, member)] = true;
    }
    return shifts;
}

// How many orbits of each kind make up a design with `meetings` of each pair.
struct Shape {
    bool fixed_point = false;
    std::uint32_t with_fixed = 0;  // full orbits whose blocks have the fixed point
    std::uint32_t without = 0;     // full orbits whose blocks have not
    bool short_orbit = false;      // a subgroup (with the fixed point) and its cosets
};

std::vector<Shape> shapes_of(std::uint32_t points, std::uint32_t seats, std::uint32_t meetings) {
    std::vector<Shape> shapes;
    const std::uint64_t per_block = std::uint64_t{seats} * (seats - 1);
    for (const bool short_orbit : {false, true}) {
        if (short_orbit && points % seats != 0) continue;
        const std::uint64_t all = std::uint64_t{meetings} * (points - 1);
        const std::uint64_t in_short = short_orbit ? seats - 1 : 0;
        if (all < in_short || (all - in_short) % per_block != 0) continue;
        const auto without = static_cast<std::uint32_t>((all - in_short) / per_block);
        shapes.push_back({false, 0, without, short_orbit});
    }
    const std::uint32_t order = points - 1;
    for (const bool short_orbit : {false, true}) {
        if (seats < 3 || (short_orbit && order % (seats - 1) != 0)) continue;
        const std::uint32_t rest = meetings - (short_orbit ? 1 : 0);
        if (rest % (seats - 1) != 0) continue;
        const std::uint32_t with_fixed = rest / (seats - 1);
        const std::uint64_t all = std::uint64_t{meetings} * (order - 1);
        const std::uint64_t covered =
            std::uint64_t{with_fixed} * (seats - 1) * (seats - 2) + (short_orbit ? seats - 2 : 0);
        if (all < covered || (all - covered) % per_block != 0) continue;
        const auto without = static_cast<std::uint32_t>((all - covered) / per_block);
        shapes.push_back({true, with_fixed, without, short_orbit});
    }
    return shapes;
}

std::optional<Design> realised(const Shape& shape, std::uint32_t points, std::uint32_t seats,
                               const Group& group, std::uint32_t least, std::uint32_t most) {
    Design design{points, seats, group, {}, least, most};
    DifferenceGoal goal;
    goal.group = group;
    goal.least.assign(group.order(), least);
    goal.most.assign(group.order(), most);
    goal.sizes.assign(shape.with_fixed, seats - 1);
    goal.sizes.insert(goal.sizes.end(), shape.without, seats);
    if (shape.short_orbit) {
        const auto members = subgroup(group, shape.fixed_point ? seats - 1 : seats);
        if (members.empty()) return std::nullopt;
        for (const auto member : members) {
            goal.least[member] -= std::min(goal.least[member], 1U);
            goal.most[member] -= std::min(goal.most[member], 1U);
        }
        design.orbits.push_back({members, shape.fixed_point, cosets(group, members)});
    }
    std::vector<std::vector<std::uint32_t>> bases;
    if (!goal.sizes.empty()) {
        auto found = find_base_blocks(goal, moves_for(group.order()));
        if (!found) return std::nullopt;
        bases = std::move(*found);
    }
    for (std::size_t i = 0; i < bases.size(); ++i) {
        design.orbits.push_back({std::move(bases[i]), i < shape.with_fixed, {}});
    }
    return design;
}

std::optional<Design> balanced_design(std::uint32_t points, std::uint32_t seats,
                                      std::uint32_t meetings) {
    for (const auto& shape : shapes_of(points, seats, meetings)) {
        for (const auto& group : groups_of(shape.fixed_point ? points - 1 : points)) {
            if (auto design = realised(shape, points, seats, group, meetings, meetings)) {
                return design;
            }
        }
    }
    return std::nullopt;
}

// Everybody meets everybody so often or once more, in full orbits without a fixed point.
std::optional<Design> nearly_balanced_design(std::uint32_t points, std::uint32_t seats,
                                             std::uint32_t meetings) {
    const std::uint64_t per_block = std::uint64_t{seats} * (seats - 1);
    const std::uint64_t least = std::uint64_t{meetings} * (points - 1);
    const std::uint64_t most = least + (points - 1);
    auto orbits = (least + per_block - 1) / per_block;
    if (points > balanced_points_most) orbits += (most - least) / per_block / slack_share;
    for (; orbits * per_block <= most; ++orbits) {
        const Shape shape{false, 0, static_cast<std::uint32_t>(orbits), false};
        auto design = realised(shape, points, seats, Group({points}), meetings, meetings + 1);
        if (design) return design;
    }
    return std::nullopt;
}

// For each step a base block of `seats` points that lie that step apart. Each pair of points meets
// equally often where no number below `seats` divides `points`. No search, whatever the size.
std::optional<Design> stepped_design(std::uint32_t points, std::uint32_t seats) {
    for (std::uint32_t factor = 2; factor < seats; ++factor) {
        if (points % factor == 0) return std::nullopt;
    }
    if (points % 2 == 0) return std::nullopt;
    const std::uint32_t meetings = seats * (seats - 1) / 2;
    Design design{points, seats, Group({points}), {}, meetings, meetings};
    for (std::uint32_t step = 1; step <= points / 2; ++step) {
        Orbit orbit;
        for (std::uint64_t i = 0; i < seats; ++i) {
            orbit.base.push_back(static_cast<std::uint32_t>(i * step % points));
        }
        design.orbits.push_back(std::move(orbit));
    }
    return design;
}

}  // namespace

Design design_for(std::uint32_t points, std::uint32_t seats, std::uint32_t meetings) {
    REFEREE_ASSERT(seats >= 2 && seats <= points);
    // The loop ends: all sets of `seats` points together are a balanced design.
    for (std::uint32_t often = std::max(1U, meetings);; ++often) {
        if (points <= balanced_points_most) {
            if (auto design = balanced_design(points, seats, often)) return *design;
        } else if (meetings == 0) {
            if (auto design = stepped_design(points, seats)) return *design;
        }
        if (meetings == 0 && points <= balanced_points_most) continue;
        if (auto design = nearly_balanced_design(points, seats, often)) return *design;
    }
}

}  // namespace referee::tournament
