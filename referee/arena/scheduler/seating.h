#pragma once

#include <optional>
#include <vector>

#include "referee/arena/scheduler/slot.h"
#include "referee/games/play/play.h"

namespace referee::scheduler {

// Who sits down at a game.
struct Seating {
    std::vector<lobby::Bot*> bots;      // by seat
    std::vector<engines::Seat> absent;  // whose bots were waited for long enough, or play no more
};

// Nothing while a bot of it is busy or awaited: those who are away are called, and the next look is
// seen to.
std::optional<Seating> seating_for(Slot& slot, const GamePlan& plan, const Tables& tables,
                                   Looks& looks, const Surroundings& with);

// The game that they play.
play::PlaySetup setup_of(const Contest& contest, const GamePlan& plan, const Seating& seating,
                         const BotSupply& supply);

}  // namespace referee::scheduler
