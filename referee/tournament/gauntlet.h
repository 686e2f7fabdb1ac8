#pragma once

#include <memory>
#include <span>

#include "referee/rating/sprt.h"
#include "referee/tournament/format.h"

namespace referee::tournament {

// Who is tested.
inline constexpr Entrant gauntlet_candidate = 0;

// The first entrant against each of the others in turn, `cycles` times, with seats exchanged every
// second time. With `sprt` it ends as soon as the finished matches, looked at in order without a
// gap, decide the test.
std::unique_ptr<Schedule> gauntlet(const FormatConfig& config, std::size_t entrants);

// Where the test of a gauntlet stands: `results` in any order; what comes after the first missing
// match isn't looked at.
rating::SprtState gauntlet_test(const SprtBounds& bounds, std::span<const MatchResult> results);

}  // namespace referee::tournament
