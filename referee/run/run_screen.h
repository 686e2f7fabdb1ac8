#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/report/live_table.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::run {

// Whether the standard output is a terminal on which a table can be drawn again and again.
bool can_show_a_table();

class LivePainter;

// What a run shows of itself: on a terminal a table that is drawn again and again, elsewhere plain
// lines, seldom. Writes nothing more often than a person can read it.
class RunScreen {
 public:
    struct Options {
        bool table = false;  // the stream is a terminal that can show one
        bool names = true;   // whether it may name tournaments, bots and games
    };
    // The loop and the stream outlive it.
    RunScreen(const boost::asio::any_io_executor& loop, std::ostream& out, Options options);
    ~RunScreen();
    RunScreen(const RunScreen&) = delete;
    RunScreen& operator=(const RunScreen&) = delete;

    // A line of its own.
    void say(const std::string& line);
    // What the run is waiting for, where somebody must know of it. Each wait is told when it
    // begins.
    void waits(const std::vector<scheduler::Wait>& waiting, Instant now);
    void game_ended(const GameResult& result);
    // Call it often: it shows how far the run is when it is time to.
    void tick(const scheduler::Scheduler& scheduler, Instant now);
    // The run is over: takes the table away. Lines that are said from now on stand at once.
    void finish();
    // How far the run came. Requires: finish() was called.
    void tell_end(const scheduler::Scheduler& scheduler, Instant now);

 private:
    report::LiveState state_of(const scheduler::Scheduler& scheduler, Instant now) const;
    void begin(const scheduler::Scheduler& scheduler, Instant now);
    Duration line_every(Instant now) const;
    void draw(const scheduler::Scheduler& scheduler, Instant now);

    std::ostream& out_;
    Options options_;
    std::unique_ptr<LivePainter> painter_;  // null: lines
    std::function<void()> log_as_before_;   // null: the log is not led elsewhere
    report::Pace pace_;
    Instant begun_{};
    Instant shown_{};
    Instant ranked_{};
    Duration ranked_every_{};
    std::string ranked_tournament_;  // whose standings are on the screen; empty: none are
    using FaultsOfBots = decltype(report::LiveState::faults_of_bots);
    std::map<std::string, FaultsOfBots> faults_;  // by tournament
    std::vector<std::string> last_faults_;        // the newest first
    std::vector<scheduler::Wait> waiting_;
    scheduler::ToldWaits told_waits_;
};

}  // namespace referee::run
