#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "referee/contest/formats/pods.h"

namespace referee::formats {

// What pods.h judges, in its order: forbidden company, repeats, spread in halves, seats, unlike.
using PodVerdict = std::array<std::int64_t, 5>;

// The best verdict of all ways to split these entrants into pods of these sizes, by branch and
// bound: it says what a drawing must come to, by a code of its own.
PodVerdict best_verdict(const PodField& field, std::span<const Entrant> entrants,
                        std::span<const std::size_t> sizes);

}  // namespace referee::formats
