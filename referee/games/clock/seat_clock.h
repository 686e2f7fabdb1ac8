#pragma once

#include <optional>

#include "referee/games/clock/clock_config.h"
#include "referee/games/clock/path.h"
#include "referee/games/clock/time.h"

namespace referee::clock {

// What is known of a turn's time when it ends, by an answer or without one.
struct Spent {
    // From the handing over of the turn to the arrival of the answer: the longest that it can have
    // been, and by how much less it may have been.
    Duration wall{};
    Duration doubt{};
    Path path{};                    // zeros where unknown
    std::optional<Duration> cpu{};  // processor time of the bot, where it is measured
    Duration stalled{};  // how long the referee itself stood still from handing over to arrival
    Duration waited{};   // what the bot itself waited for a core, through no fault of its own
};

// The verdict on a turn's time.
struct Charge {
    Duration charged{};
    Duration allowed{};    // network allowance that was taken off
    Duration corrected{};  // taken off for the referee's own stall
    Duration lateness{};   // with waits_for_late: over the game so far, this turn included
    bool late = false;     // the answer is no move: it came after the turn's limit
    bool hung = false;     // lateness over the game reached the limit: the game is lost
    bool flag = false;     // `game`: the whole game's time is used up: the game is lost
    bool hard = false;     // it is the hard limit of wall time that was passed, and not the budget
    // Late or flag by so little that the referee's own stall may be the cause: the game must be
    // annulled, not the bot blamed. Never set where the answer is in time, nor where the bot's own
    // processor time is over the budget, nor for `hung`, where the stall is already taken off.
    bool suspect = false;
};

// One seat's time in one game: arithmetic only.
//
// A stall above the threshold is taken off wall time, and only off wall time: what a bot burns on
// its processor is its own. Nobody can tell how much a stall really cost the bot. So an answer that
// is then still late, but by less than the same stall once more, is suspect; any longer lateness is
// the bot's.
class SeatClock {
 public:
    explicit SeatClock(const ClockConfig& config);

    // What the bot may spend on its next turn; zero where only the hard limit bounds it.
    Duration budget() const;
    // After this wall time the turn need not be waited for any longer: given the path, no
    // later answer can be in time.
    Duration wait_limit(Path path) const;
    // With waits_for_late: wall time after which the bot counts as hung in this turn.
    Duration hung_limit(Path path) const;
    // How much longer than those limits to wait for a silent bot where the referee stood still:
    // after that no stall can be the cause. Zero where the stall is below the threshold. It may
    // grow as fast as time goes by, so the caller must bound it; a silence that ends at that bound
    // is suspect.
    Duration grace(Duration stalled) const;

    // Ends a turn whose answer came, and books it.
    Charge answered(const Spent& spent);
    // Ends a turn that got no answer within wait_limit() (or hung_limit()), and books it.
    Charge expired(const Spent& spent);

    Duration used() const { return used_; }
    Duration remaining() const { return remaining_; }  // `game` only

 private:
    // A turn's time against its limits, after `excused` is taken off wall time.
    struct Verdict {
        Duration charged{};
        Duration over_budget{};  // what is charged beyond the budget
        Duration over_hard{};    // wall time beyond the hard limit
        bool budget = false;     // over the budget
        bool hard = false;       // over the hard limit
        bool over() const { return budget || hard; }
    };
    // The part of the round trip that may be taken off.
    Duration allowance(Duration round_trip) const;
    Duration allowance(const Spent& spent) const;
    bool by_cpu(const Spent& spent) const {
        return config_.measure == Measure::cpu && spent.cpu.has_value();
    }
    Verdict verdict(const Spent& spent, Duration excused, bool answered) const;
    Charge book(const Spent& spent, bool answered);

    ClockConfig config_;
    Duration used_{};
    Duration remaining_{};
    Duration lateness_{};
};

// The stall above which a turn's charge is corrected.
Duration stall_threshold(Duration budget);

}  // namespace referee::clock
