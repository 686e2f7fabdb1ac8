#pragma once

#include <string>

#include "referee/arena/scheduler/contest.h"
#include "referee/connections/lobby/lobby.h"

// What bots are told of a tournament besides their games, as far as they are connected.

namespace referee::scheduler {

// `by_login`: it may play on when it logs in again.
void tell_withdrawn(const lobby::Bot& bot, const Contest& contest,
                    const journal::WithdrawalRecord& withdrawal, bool by_login);
void tell_admitted(const lobby::Bot& bot, const Contest& contest);
// All who played in it.
void tell_match(lobby::Lobby& lobby, const Contest& contest, const tournament::MatchResult& match);

}  // namespace referee::scheduler
