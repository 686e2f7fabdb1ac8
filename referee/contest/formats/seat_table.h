#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace referee::formats {

// Orders the members of each pod by seat so that everybody has every seat equally often, or within
// one of that, over all the pods. Always possible; the pods are kept in their order.
// Requires: every pod has `seats` different members, numbered below `members`.
void even_seats(std::vector<std::vector<std::uint32_t>>& pods, std::uint32_t seats,
                std::uint32_t members);

}  // namespace referee::formats
