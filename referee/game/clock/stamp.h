#pragma once

#include "referee/game/clock/time.h"

namespace referee {

// When something happened, as far as it can be known: not before `earliest`, not after `latest`.
struct Stamp {
    Instant earliest{};
    Instant latest{};

    static constexpr Stamp exact(Instant at) { return {at, at}; }
    constexpr Duration width() const { return latest - earliest; }
    bool operator==(const Stamp&) const = default;
};

}  // namespace referee
