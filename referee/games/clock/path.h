#pragma once

#include "referee/games/clock/time.h"

namespace referee {

// How long a line and its answer are under way together: at least `least`, and at most `most` as
// far as is plausible. Never least > most; both are zero where nothing is known.
struct Path {
    Duration least{};
    Duration most{};

    static constexpr Path exact(Duration round_trip) { return {round_trip, round_trip}; }
    bool operator==(const Path&) const = default;
};

}  // namespace referee
