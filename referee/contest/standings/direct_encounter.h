#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "referee/contest/standings/crosstable.h"

namespace referee::standings {

// Places, from 1, of the rows of a group by the games among themselves; equal where these don't
// decide. In the order of `group`.
std::vector<std::size_t> direct_encounter(const Crosstable& table,
                                          std::span<const std::size_t> group);

}  // namespace referee::standings
