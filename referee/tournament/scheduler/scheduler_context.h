#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/earliest_look.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/bot_supply.h"
#include "referee/tournament/scheduler/executor.h"
#include "referee/tournament/table/cores.h"

namespace referee::scheduler {

class Absences;
class Tables;

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

// What all contests of a scheduler share; it outlives them.
struct SharedByContests {
    Absences& absences;
    Tables& tables;
    loop::EarliestLook& looks;
    const Settings& settings;
    const SchedulerContext& context;
};

// The bots of a contest, as the lobby knows them. Both outlive it.
class TournamentField {
 public:
    TournamentField(const contests::Contest& contest, lobby::Lobby& lobby)
        : contest_(contest), lobby_(lobby) {}

    // Requires: the bot has entered. It stays the same, because the lobby forgets no bot.
    lobby::Bot& bot(formats::Entrant entrant) {
        while (bots_.size() <= entrant) bots_.push_back(&lobby_.bot(contest_.name(bots_.size())));
        return *bots_[entrant];
    }
    // Whether it is connected, and plays the contest's game.
    bool is_here(formats::Entrant entrant) {
        const auto& one = bot(entrant);
        return one.connected() && one.plays(contest_.config().game);
    }

 private:
    const contests::Contest& contest_;
    lobby::Lobby& lobby_;
    std::vector<lobby::Bot*> bots_;  // by entrant, as far as they were asked for
};

// A part of a scheduled contest, and what it works with; all of that outlives it.
class ContestPart {
 public:
    ContestPart(contests::Contest& contest, TournamentField& field, const SharedByContests& shared)
        : contest_(contest),
          field_(field),
          absences_(shared.absences),
          tables_(shared.tables),
          looks_(shared.looks),
          settings_(shared.settings),
          context_(shared.context) {}

 protected:
    contests::Contest& contest_;
    TournamentField& field_;
    Absences& absences_;
    Tables& tables_;
    loop::EarliestLook& looks_;
    const Settings& settings_;
    const SchedulerContext& context_;
};

}  // namespace referee::scheduler
