#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "referee/contests/tournament/design.h"

namespace referee::tournament {

// What base blocks are looked for: how often each pair of points that differ by d shall meet once
// the blocks are moved through the whole group.
struct DifferenceGoal {
    Group group{{}};
    std::vector<std::size_t> sizes;    // of the base blocks
    std::vector<std::uint32_t> least;  // meetings by difference; [0] is unused
    std::vector<std::uint32_t> most;
};

// Base blocks that reach the goal, by annealing from a fixed seed with at most so many moves;
// nothing where they weren't found. The same goal gives the same blocks on every machine.
std::optional<std::vector<std::vector<std::uint32_t>>> find_base_blocks(const DifferenceGoal& goal,
                                                                        std::uint64_t moves_most);

}  // namespace referee::tournament
