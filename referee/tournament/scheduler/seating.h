#pragma once

#include <optional>
#include <set>
#include <vector>

#include "referee/game/play/play.h"
#include "referee/tournament/scheduler/executor_matches.h"
#include "referee/tournament/scheduler/slot.h"

namespace referee::scheduler {

// Who sits down at a game.
struct Seating {
    std::vector<lobby::Bot*> bots;      // by seat
    std::vector<engines::Seat> absent;  // of bots that did not come in time, or play no more
};

// Whether the referee launches a bot of the game.
bool has_launched(Slot& slot, const contests::GamePlan& plan, const BotSupply& supply);

// Who sits down at the game now; nothing while one of its bots is busy, or is awaited. Calls the
// bots that are away, and sees to the look at the end of their time.
std::optional<Seating> seating_for(Slot& slot, const contests::GamePlan& plan, const Tables& tables,
                                   Wakeups& wakeups, const SchedulerContext& context);

// The bots of games that wait in other tournaments than ladders, and for nobody who is away: a
// ladder leaves these bots free.
std::set<const lobby::Bot*> bots_wanted(const Slots& slots, const ExecutorMatches& elsewhere,
                                        const BotSupply& supply);

// What the play of that game is made of.
play::PlaySetup setup_of(const contests::Contest& contest, const contests::GamePlan& plan,
                         const Seating& seating, const BotSupply& supply);

}  // namespace referee::scheduler
