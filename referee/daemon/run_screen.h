#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "referee/daemon/live_painter.h"
#include "referee/game/clock/time.h"
#include "referee/report/live_table.h"
#include "referee/report/pace.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::daemon {

// What a run shows of itself: on a terminal a table that is drawn again and again, elsewhere plain
// lines, seldom. Writes nothing more often than a person can read it.
class RunScreen {
 public:
    struct Options {
        bool table = false;  // the stream is a terminal that can show one
        bool names = true;   // whether it may name tournaments, bots and games
    };
    // The loop and the stream outlive it.
    RunScreen(const boost::asio::any_io_executor& loop, std::ostream& out, Options terms);
    ~RunScreen();
    RunScreen(const RunScreen&) = delete;
    RunScreen& operator=(const RunScreen&) = delete;
    RunScreen(RunScreen&&) = delete;
    RunScreen& operator=(RunScreen&&) = delete;

    // A line of its own.
    void say(const std::string& line);
    // What the run is waiting for, where somebody must know of it. Each wait is told when it
    // begins.
    void waiting(const std::vector<scheduler::Waiting>& waiting, Instant now);
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
    Options terms_;
    std::unique_ptr<LivePainter> painter_;  // null: lines
    std::function<void()> log_as_before_;   // null: the log is not led elsewhere
    report::Pace pace_;
    Instant begun_{};
    Instant shown_{};
    Instant ranked_{};
    Duration ranked_every_{};
    std::vector<scheduler::Waiting> waiting_;
};

}  // namespace referee::daemon
