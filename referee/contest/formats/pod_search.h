#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "referee/contest/formats/pods.h"

namespace referee::formats {

// The best of all splits of the entrants into pods of these sizes, as pods.h judges them. Nothing
// where finding it takes too long. Requires: sizes of which so many entrants always make the same
// pods, as pod_sizes gives them.
std::optional<std::vector<std::vector<Entrant>>> best_split(const PodField& field,
                                                            std::span<const Entrant> by_standing,
                                                            std::span<const std::size_t> sizes);

// Splits the entrants, given by standing, into pods of these sizes, as pods.h judges them; at equal
// seats they are not always the least unlike.
std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed);

}  // namespace referee::formats
