#pragma once

#include <vector>

#include "referee/net/lobby/lobby.h"
#include "referee/tournament/scheduler/contest.h"

namespace referee::scheduler {

// The bots of a contest, as the lobby knows them. Both outlive it.
class Field {
 public:
    Field(const Contest& contest, lobby::Lobby& lobby) : contest_(contest), lobby_(lobby) {}

    // Requires: the bot has entered. It stays the same, because the lobby forgets no bot.
    lobby::Bot& bot(Entrant entrant);
    // Whether it is connected, and plays the contest's game.
    bool is_here(Entrant entrant);

 private:
    const Contest& contest_;
    lobby::Lobby& lobby_;
    std::vector<lobby::Bot*> bots_;  // by entrant, as far as they were asked for
};

}  // namespace referee::scheduler
