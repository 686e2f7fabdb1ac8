#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "referee/store/records/records.h"
#include "referee/tournament/scheduler/bot_supply.h"
#include "referee/tournament/scheduler/executor.h"
#include "referee/tournament/table/cores.h"

namespace referee::scheduler {

// What the scheduler works with; all of it outlives it.
struct SchedulerContext {
    loop::Timers& timers;
    lobby::Lobby& lobby;
    records::Journal& journal;
    BotSupply& supply;
    const loop::StallSource& stalls;
    table::Cores& cores;
    loop::Background& background;
    Executor* executor = nullptr;  // plays matches elsewhere; null: all are played here
};

// What the instructor set for all tournaments. It may change while they are played.
struct Settings {
    std::size_t games_at_once = 1;
    std::size_t launched_games_at_once = SIZE_MAX;  // of these, with a bot that is launched
    Duration join_within{};  // how long a tournament's first games wait for all bots to be there
    bool stays = false;      // goes on when every tournament is over: more may come
    // What the pseudonyms are made with that bots are told; empty: they are told names.
    std::string names_secret = {};
    std::vector<std::string> names = {};  // that are hidden then, whoever else is here
};

}  // namespace referee::scheduler
