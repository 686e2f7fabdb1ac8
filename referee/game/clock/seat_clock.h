#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "referee/game/clock/clock_config.h"
#include "referee/game/clock/path.h"
#include "referee/game/clock/time.h"

namespace referee::clock {

// What is known of a turn's time when it ends, by an answer or without one.
struct Spent {
    // From the handing over of the turn to the arrival of the answer: the longest that it can have
    // been, and by how much less it may have been.
    Duration wall{};
    Duration doubt{};
    Path path{};            // what may be allowed for; zeros where unknown
    Duration round_trip{};  // as measured; differs from path.least only where that was bounded
    std::optional<Duration> cpu{};  // processor time of the bot, where it is measured
    Duration stalled{};  // how long the referee itself stood still from handing over to arrival
    Duration waited{};   // what the bot itself waited for a core, through no fault of its own
};

// The verdict on a turn's time, and how it came about. Of wall time nothing is lost:
// charged + allowed + waited + corrected + doubted == wall.
struct Charge {
    Duration charged{};
    Duration wall{};
    Duration round_trip{};  // of the path, as measured; under `game` as it is on average
    Duration allowed{};     // taken off for the path; less than the round trip where a cap is lower
    // The most that could be taken off for the path in this turn; `allowed` is less where the
    // answer came sooner. Less than the round trip where a cap, or the path when the turn was sent,
    // is lower.
    Duration allowance{};
    Duration jitter{};     // may be taken off for the path besides, where the verdict needs it
    Duration waited{};     // taken off for the bot's own wait for a core
    Duration corrected{};  // taken off for the referee's own stall
    // Taken off because the times are known to no better: without it the answer would be late. A
    // bot that is never in doubt has zero here.
    Duration doubted{};
    Duration lateness{};  // with waits_for_late: over the game so far, this turn included
    // Late, in doubt, or charged at least near_limit_share of its limit: the jitter matters.
    bool close = false;
    bool late = false;  // the answer is no move: it came after the turn's limit
    bool hung = false;  // lateness over the game reached the limit: the game is lost
    bool flag = false;  // `game`: the whole game's time is used up: the game is lost
    bool hard = false;  // it is the hard limit of wall time that was passed, and not the budget
    // Late or flag by so little that the referee's own stall may be the cause, or no answer came
    // because the bot never got a core: the game must be annulled, not the bot blamed. Never set
    // where the answer is in time, nor where the bot's own processor time is over the budget, nor
    // for `hung`, where the stall is already taken off.
    bool suspect = false;
};

// One seat's time in one game: arithmetic only. README.md derives the rules.
//
// An answer is late only where every reading of its times says so: the friendliest takes the
// shortest time between the stamps and the longest path that is plausible. What is charged is the
// plain reading: the longest time between the stamps, less the shortest path; but never more than
// the budget where the answer is in time.
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
    // How long to wait for an answer, from the latest moment at which the turn may have been sent.
    // What comes later is late by every reading.
    Duration wait_limit(Path path) const;
    // Under `cpu`: the processor time at which the turn ends, however little wall time it took;
    // zero where none is bounded.
    Duration cpu_budget() const;
    bool used_up(const Spent& spent) const {
        return cpu_budget() > Duration::zero() && by_cpu(spent) && *spent.cpu >= cpu_budget();
    }
    // With waits_for_late: the same, until the bot counts as hung in this turn.
    Duration hung_limit(Path path) const;
    // How much longer than those limits to wait for a silent bot where the referee stood still, or
    // the bot waited for a core: after that neither can be the cause. While a stall or a
    // wait goes on, it grows with the clock. So the caller must set an end; a bot that is still
    // silent at that end is suspect.
    Duration grace(Duration stalled, Duration waited) const;

    // Ends a turn whose answer came, and books it.
    Charge answered(const Spent& spent);
    // Ends a turn that got no answer within wait_limit() (or hung_limit()), and books it.
    Charge expired(const Spent& spent);

    // A turn that was played, and charged, before this clock began to count.
    void used_before(Duration charged);

    Duration used() const { return used_; }
    Duration remaining() const { return remaining_; }  // `game` only

 private:
    // One way to read a turn's times.
    struct Reading {
        Duration wall{};
        Duration path{};
        Duration excused{};  // taken off wall time besides
    };
    // A reading against the limits.
    struct Verdict {
        Duration charged{};
        Duration over_budget{};  // what is charged beyond the budget
        Duration over_hard{};    // wall time beyond the hard limit
        bool budget = false;     // over the budget
        bool hard = false;       // over the hard limit
        bool over() const { return budget || hard; }
    };
    Duration wall_limit() const;
    // The part of a path that may be taken off.
    Path allowance(const Path& path) const;
    // What a plain reading takes off: the least; but where turns add up, what the way takes on
    // average, because then its jitter adds up too.
    Duration plain_path(const Path& path) const {
        return config_.kind == ClockKind::game ? path.mean() : path.least;
    }
    bool by_cpu(const Spent& spent) const {
        return config_.measure == Measure::cpu && spent.cpu.has_value();
    }
    Duration excused_stall(Duration stalled) const;
    Verdict verdict(const Reading& reading, const Spent& spent, bool answered) const;
    Charge tell(const Spent& spent, const Path& path, const Verdict& plain,
                const Verdict& friendly) const;
    Charge book(const Spent& spent, bool answered);

    ClockConfig config_;
    Duration used_{};
    Duration remaining_{};
    Duration lateness_{};
};

// The stall above which a turn's charge is corrected.
Duration stall_threshold(Duration budget);

// Doubt is meant for a turn now and then. Where more than this share of at least so many turns
// passed only by doubt, something is wrong with the bot or its way.
inline constexpr double doubted_share_max = 0.1;
inline constexpr std::int64_t doubted_turns_min = 20;

// A bot's turns, and how many of them were in time only because their times are known to no better.
struct Doubts {
    std::int64_t turns = 0;
    std::int64_t by_doubt = 0;
    Duration sum{};  // taken off in these

    void count(const Charge& charge);
    void add(const Doubts& others);
    bool many() const;
};

// "30 of 100 turns were in time only by doubt, 120.000 ms taken off in all"
std::string describe(const Doubts& doubts);

// A charge as it is told: in whole microseconds that add up as the charge itself does. Where wall
// time is charged, charged + allowed + waited + corrected + doubted == wall, exactly. So a part may
// differ by one from its own time, cut to microseconds; what is charged and the wall time never do.
struct ToldCharge {
    std::int64_t charged_us = 0;
    std::int64_t wall_us = 0;
    std::int64_t allowed_us = 0;
    std::int64_t waited_us = 0;
    std::int64_t corrected_us = 0;
    std::int64_t doubted_us = 0;
    // Told only where the verdict was late, in doubt, or close (Charge::close); otherwise zero.
    std::int64_t jitter_us = 0;

    // The wall time can't be seen from the charge and what was allowed.
    bool wall_matters() const { return wall_us != charged_us + allowed_us; }
};
ToldCharge as_told(const Charge& charge);

}  // namespace referee::clock
