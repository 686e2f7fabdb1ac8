#pragma once

#include <optional>

#include "referee/clock/clock_config.h"
#include "referee/clock/time.h"

namespace referee::clock {

// What is known of a turn's time when it ends, by an answer or without one.
struct Spent {
    Duration wall{};          // from the moment the turn was handed over to the arrival of the answer
    Duration round_trip{};    // the path's own, as the kernel measured it; zero where unknown
    std::optional<Duration> cpu;  // processor time of the bot, where it is measured
    Duration stalled{};       // how long the referee itself stood still meanwhile
};

// The verdict on a turn's time.
struct Charge {
    Duration charged{};
    Duration allowed{};    // network allowance that was taken off
    Duration corrected{};  // taken off for the referee's own stall
    bool late = false;     // the answer is no move: it came after the turn's limit
    bool hung = false;     // lateness over the game reached the limit: the game is lost
    bool flag = false;     // `game`: the whole game's time is used up: the game is lost
    // Late, hung or flag by so little that the referee's own stall may be the cause: the game
    // must be annulled, not the bot blamed.
    bool suspect = false;
};

// One seat's time in one game: arithmetic only.
class SeatClock {
 public:
    explicit SeatClock(const ClockConfig& config);

    // What the bot may spend on its next turn; zero where it is not limited but by the hard limit.
    Duration budget() const;
    // Wall time after which the turn need not be waited for any longer, given the path's round
    // trip: no answer that comes later can be in time.
    Duration wait_limit(Duration round_trip) const;
    // With waits_for_late: wall time after which the bot counts as hung in this turn.
    Duration hung_limit(Duration round_trip) const;

    // Ends a turn whose answer came, and books it.
    Charge answered(const Spent& spent);
    // Ends a turn that got no answer within wait_limit() (or hung_limit()), and books it.
    Charge expired(const Spent& spent);

    Duration used() const { return used_; }
    Duration remaining() const { return remaining_; }  // `game` only

 private:
    // Of the round trip, what may be taken off at all.
    Duration path(Duration round_trip) const;
    Duration allowance(const Spent& spent) const;
    Charge book(const Spent& spent, bool answered);

    ClockConfig config_;
    Duration used_{};
    Duration remaining_{};
    Duration lateness_{};
};

// The stall above which a turn's charge is suspect.
Duration stall_threshold(Duration budget);

}  // namespace referee::clock
