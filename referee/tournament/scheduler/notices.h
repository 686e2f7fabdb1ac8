#pragma once

#include <string>

#include "referee/tournament/scheduler/contest.h"
#include "referee/tournament/scheduler/display_names.h"
#include "referee/tournament/scheduler/observer.h"
#include "referee/tournament/scheduler/scheduler_context.h"

// What bots that are connected are told of a tournament, besides their games. Observers are told
// too who takes part.

namespace referee::scheduler {

void tell_withdrawn(const SchedulerContext& with, const Observers& observers,
                    const Contest& contest, const records::WithdrawalRecord& withdrawal,
                    DisplayNames& names);
void tell_admitted(const SchedulerContext& with, const Observers& observers, const Contest& contest,
                   const std::string& name);
// Tells each bot how many of its games don't count any more, or count again, and why.
void tell_annulled(const SchedulerContext& with, const Observers& observers, const Contest& contest,
                   const Observer::Annulled& annulled, DisplayNames& names);
// Tells all bots of the match.
void tell_match(lobby::Lobby& lobby, const Contest& contest, const formats::MatchResult& match,
                DisplayNames& names);

}  // namespace referee::scheduler
