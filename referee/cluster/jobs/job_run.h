#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_folder.h"
#include "referee/launch/supply/launched_bots.h"
#include "referee/net/loop/background_thread.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/system_timers.h"
#include "referee/net/transport/listener.h"
#include "referee/tournament/no_journal.h"
#include "referee/tournament/referee.h"
#include "referee/tournament/table/table.h"

namespace referee::jobs {

// A referee without tournaments of its own: lets a job's bots in, launches them, and plays the
// matches at tables as a scheduler would. The same game, with the same bots in the same state,
// comes to the same record.
class JobRun final : public tournament::RefereeObserver {
 public:
    // All of it outlives this.
    JobRun(const Job& job, const ResultPlace& place, tournament::Tokens& tokens);

    // Once. The result, unless the ending says why there is none.
    JobEnding play(JobResult& result);

    void on_arrived(const lobby::Bot& /*bot*/) override { look(); }
    void on_left(const lobby::Bot& /*bot*/, session::CloseCause /*cause*/) override { look(); }

 private:
    // A game that bots sit at.
    struct Playing {
        MatchProgress* match = nullptr;
        const MatchTask::Game* game = nullptr;
        std::unique_ptr<table::Table> table;
    };
    struct Seating {
        std::vector<lobby::Bot*> bots;
        std::vector<engines::Seat> absent;
    };

    // Says what is missing; empty: nothing.
    std::string prepare();
    void on_given_up(const std::string& bot);
    void stop(JobEnding ending);
    void show_life();
    void await_signal();
    void release();

    // The games, in job_games.cpp. Looks soon, or then, for games that can begin.
    void look() { look_at(timers_.now()); }
    void look_at(Instant at);
    void begin_games();
    std::optional<Seating> seating_for(const MatchProgress& match, const MatchTask::Game& game);
    // Until when the game waits for a bot that is away.
    Instant awaited_until(const lobby::Bot& bot, const config::TournamentConfig& tournament);
    void seat(MatchProgress& match, const MatchTask::Game& game, Seating seating);
    void finished(std::size_t place);
    void close(std::size_t place);
    // In the order of the job's list.
    std::vector<JobGameResult> take_games();

    const Job& job_;
    const ResultPlace& place_;
    std::unique_ptr<loop::Machine> machine_;  // before all that has threads or descriptors
    boost::asio::io_context loop_{1};
    loop::SystemTimers timers_{loop_.get_executor()};
    loop::SystemTimers ticks_{loop_.get_executor()};
    loop::LoopWatch watch_{ticks_, *machine_};
    loop::BackgroundThread background_{loop_.get_executor()};
    loop::BackgroundThread background_of_programs_{loop_.get_executor()};
    boost::asio::signal_set signals_;
    tournament::NoJournal journal_{loop_.get_executor()};
    tournament::Referee referee_;
    std::unique_ptr<transport::Listener> listener_;
    std::unique_ptr<supply::LaunchedBots> supply_;
    JobEnding ending_;

    std::deque<MatchProgress> matches_;
    std::map<std::size_t, Playing> playing_;
    std::size_t last_place_ = 0;
    std::map<const lobby::Bot*, Instant> away_since_;
    // Bots of games that have ended, until the bots are told.
    std::multiset<const lobby::Bot*> leaving_;
    std::map<GameKey, JobGameResult> played_;
    std::optional<loop::Timers::Id> look_;
    Instant look_at_{};
    bool over_ = true;  // nothing begins: not yet, or no more
};

}  // namespace referee::jobs
