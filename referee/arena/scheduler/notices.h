#pragma once

#include <string>

#include "referee/arena/scheduler/contest.h"
#include "referee/arena/scheduler/observer.h"
#include "referee/arena/scheduler/surroundings.h"

// What bots that are connected are told of a tournament, besides their games. The observer is told
// too who takes part.

namespace referee::scheduler {

void tell_withdrawn(const Surroundings& with, Observer& observer, const Contest& contest,
                    const journal::WithdrawalRecord& withdrawal);
void tell_admitted(const Surroundings& with, Observer& observer, const Contest& contest,
                   const std::string& name);
// Tells all bots of the match.
void tell_match(lobby::Lobby& lobby, const Contest& contest, const tournament::MatchResult& match,
                const Settings& settings);

// What these bots are called in a tournament for each other; null: by their names.
std::shared_ptr<const pseudonyms::Aliases> aliases_for(const Settings& settings,
                                                       const std::string& tournament,
                                                       const std::vector<std::string>& bots);

}  // namespace referee::scheduler
