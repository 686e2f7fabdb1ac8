#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "referee/game/clock/time.h"

namespace referee::report {

// How quickly games and matches went lately, and how long what is left takes at that pace. Says
// nothing before enough was measured. Pure.
class Pace {
 public:
    // How many had been played at a moment; moments never go back. What is told first is from
    // before: only what comes after it is measured.
    void add(Instant now, std::uint64_t games, std::uint64_t matches);

    // Games a second.
    std::optional<double> games_a_second() const;
    std::optional<Duration> left(std::uint64_t matches_left) const;

 private:
    struct Sample {
        Instant at{};
        std::uint64_t games = 0;
        std::uint64_t matches = 0;
    };
    std::deque<Sample> samples_;
};

}  // namespace referee::report
