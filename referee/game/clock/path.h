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

// When something happened, as far as it can be known: not before `earliest`, not after `latest`.
struct Stamp {
    Instant earliest{};
    Instant latest{};

    static constexpr Stamp exact(Instant at) { return {at, at}; }
    constexpr Duration width() const { return latest - earliest; }
    bool operator==(const Stamp&) const = default;
};

}  // namespace referee
