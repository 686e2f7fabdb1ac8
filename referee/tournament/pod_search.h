#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "referee/tournament/pods.h"

namespace referee::tournament {

// Splits the entrants, given by standing, into pods of these sizes, as pods.h judges them.
std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed);

}  // namespace referee::tournament
