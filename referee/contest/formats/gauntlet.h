#pragma once

#include <memory>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// The entrant that is tested.
inline constexpr Entrant gauntlet_candidate = 0;

// The first entrant against each of the others in turn, `cycles` times, with seats moved on by one
// place each time. In matches of more seats than two it meets as many of the others at once as
// there are seats beside its own; there are enough of them to fill each match. With `sprt` it ends
// as soon as the finished matches, looked at in order without a gap, decide the test, or bring
// nothing new any more.
std::unique_ptr<Schedule> gauntlet(const GauntletOptions& options, std::size_t entrants);

}  // namespace referee::formats
