#pragma once

#include "referee/game/clock/time.h"

namespace referee {

// How long a line and its answer are under way together: at least `least`, and at most `most` as
// far as is plausible; on average `mean_excess` longer than the least. Never least > most, nor
// least + mean_excess > most; all are zero where nothing is known.
struct Path {
    Duration least{};
    Duration most{};
    Duration mean_excess{};

    Duration mean() const { return least + mean_excess; }

    static constexpr Path exact(Duration round_trip) { return {round_trip, round_trip}; }
    bool operator==(const Path&) const = default;
};

}  // namespace referee
