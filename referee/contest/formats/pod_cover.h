#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::formats {

// Pods in which every two of the members meet at least `meetings` times: a greedy cover. Each pod
// takes the members with the most pairs that still have to meet; of those the ones with the fewest
// matches, then those that met each other least, then the lower number. It ends when all have met
// and no member has more than one match more than another.
// Requires: 2 <= seats <= members.
std::vector<std::vector<std::uint32_t>> pod_cover(std::uint32_t members, std::uint32_t seats,
                                                  std::uint32_t meetings);

// The fewest pods in which so many members can meet so often, by Schönheim's bound: nobody meets
// more than seats - 1 others in a pod.
std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings);

// Puts the pods into rounds in which nobody plays twice, everybody's pods in their order.
std::vector<std::vector<std::vector<std::uint32_t>>> rounds_of_pods(
    const std::vector<std::vector<std::uint32_t>>& pods, std::uint32_t members);

}  // namespace referee::formats
