#pragma once

#include <vector>

#include "referee/tournament/scheduler/executor_matches.h"
#include "referee/tournament/scheduler/slot.h"
#include "referee/tournament/scheduler/tables.h"
#include "referee/tournament/scheduler/waiting.h"

namespace referee::scheduler {

// Adds what doesn't go on in a tournament at present, and for whom it waits.
void add_waits(Slot& slot, const Tables& tables, const Settings& settings,
               std::vector<Waiting>& found);
// The same of its matches that other machines play, and of what keeps those from playing.
void add_far_waits(Slot& slot, const ExecutorMatches& elsewhere, std::vector<Waiting>& found);

}  // namespace referee::scheduler
