#pragma once

#include <cstddef>
#include <vector>

#include "referee/game/clock/time.h"

namespace referee::clock {

// How long the way to one bot is, as its connection tells it.
struct Way {
    Duration round_trip{};  // the least since it connected; zero where unknown
    Duration most{};        // as it was measured last

    bool known() const { return round_trip > Duration::zero(); }
    bool operator==(const Way&) const = default;
};

// The ways of all bots of one network. A median is read at once however many they are, because
// they are kept in order. Ways that aren't known are left out. Not thread safe.
class Neighbours {
 public:
    void add(const Way& way);
    // Requires that it was added.
    void remove(const Way& way);

    // So many ways are known, without that of the bot that asks.
    std::size_t others(const Way& own) const;
    // Their medians; of an even number the longer of the two in the middle: in doubt for the bot.
    // Requires that there are others.
    Way median_of_others(const Way& own) const;

 private:
    std::vector<Duration> round_trips_;  // sorted
    std::vector<Duration> mosts_;        // sorted
};

}  // namespace referee::clock
