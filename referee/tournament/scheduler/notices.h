#pragma once

#include <string>

#include "referee/tournament/scheduler/contest.h"
#include "referee/tournament/scheduler/observer.h"
#include "referee/tournament/scheduler/surroundings.h"
#include "referee/tournament/scheduler/told_names.h"

// What bots that are connected are told of a tournament, besides their games. Observers are told
// too who takes part.

namespace referee::scheduler {

void tell_withdrawn(const Surroundings& with, const Observers& observers, const Contest& contest,
                    const journal::WithdrawalRecord& withdrawal, ToldNames& names);
void tell_admitted(const Surroundings& with, const Observers& observers, const Contest& contest,
                   const std::string& name);
// Tells each bot how many of its games don't count any more, or count again, and why.
void tell_annulled(const Surroundings& with, const Observers& observers, const Contest& contest,
                   const Observer::Annulled& annulled, ToldNames& names);
// Tells all bots of the match.
void tell_match(lobby::Lobby& lobby, const Contest& contest, const tournament::MatchResult& match,
                ToldNames& names);

}  // namespace referee::scheduler
