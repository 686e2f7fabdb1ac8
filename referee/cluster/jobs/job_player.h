#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/result_text.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/stall_source.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/scheduler/bot_supply.h"
#include "referee/tournament/table/cores.h"
#include "referee/tournament/table/table.h"

namespace referee::jobs {

// Plays the matches of a job at tables as a scheduler would: the same game, with the same bots in
// the same state, comes to the same record. Runs on the loop's thread and by the timers' clock.
class JobPlayer {
 public:
    // What it works with; all of it outlives it.
    struct Dependencies {
        loop::Timers& timers;
        lobby::Lobby& lobby;
        scheduler::BotSupply& supply;
        const loop::StallSource& stalls;
        table::Cores& cores;
        // What a record's time is: milliseconds since 1970.
        std::function<std::int64_t()> wall_ms;
    };

    // Calls `on_over` once, when all is played. The job outlives it.
    JobPlayer(const Job& job, std::size_t games_at_once, Dependencies with,
              std::function<void()> on_over);
    ~JobPlayer();
    JobPlayer(const JobPlayer&) = delete;
    JobPlayer& operator=(const JobPlayer&) = delete;
    JobPlayer(JobPlayer&&) = delete;
    JobPlayer& operator=(JobPlayer&&) = delete;

    // Looks soon for games that can begin: a bot has come or has left.
    void look();
    // In the order of the job's list. Requires: all is played.
    std::vector<JobGameResult> take_games();

 private:
    // A game that bots sit at.
    struct Playing {
        MatchProgress* match = nullptr;
        const JobGame* game = nullptr;
        std::unique_ptr<table::Table> table;
    };
    struct Seating {
        std::vector<lobby::Bot*> bots;
        std::vector<engines::Seat> absent;
    };

    void begin_games();
    std::optional<Seating> seating_for(const MatchProgress& match, const JobGame& game);
    // Until when the game waits for a bot that is away.
    Instant awaited_until(const lobby::Bot& bot, const config::TournamentConfig& tournament);
    void seat(MatchProgress& match, const JobGame& game, Seating seating);
    void finished(std::size_t place);
    void close(std::size_t place);
    void look_at(Instant at);

    const Job& job_;
    std::size_t games_at_once_;
    Dependencies with_;
    std::function<void()> on_over_;
    std::deque<MatchProgress> matches_;
    std::map<std::size_t, Playing> playing_;
    std::size_t last_place_ = 0;
    std::map<const lobby::Bot*, Instant> away_since_;
    // Bots of games that have ended, until the bots are told.
    std::multiset<const lobby::Bot*> leaving_;
    std::map<GameKey, JobGameResult> played_;
    std::optional<loop::Timers::Id> look_;
    Instant look_at_{};
    bool over_ = false;
    loop::Life life_;
};

}  // namespace referee::jobs
