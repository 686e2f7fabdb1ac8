#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/net/loop/background_thread.h"
#include "referee/net/loop/life.h"
#include "referee/report/live_table.h"
#include "referee/tournament/scheduler/snapshot.h"

namespace referee::daemon {

// Draws a run's table again and again in the same place of a terminal, below the lines that are
// said. A thread of its own writes: a terminal that is stopped or slow never holds up the loop. No
// setting of the terminal is changed, so nothing must be put back, whatever ends the program.
class LivePainter {
 public:
    // The loop and the stream outlive it.
    LivePainter(const boost::asio::any_io_executor& loop, std::ostream& out);
    ~LivePainter();
    LivePainter(const LivePainter&) = delete;
    LivePainter& operator=(const LivePainter&) = delete;
    LivePainter(LivePainter&&) = delete;
    LivePainter& operator=(LivePainter&&) = delete;

    // A line of its own above the table, or several; written with the next drawing.
    void say(std::string line);
    void fault(const std::string& tournament, const std::string& bot, std::string sentence);
    // Whether what was given last is drawn.
    bool is_idle() const { return !drawing_; }
    // Requires: it is idle. The snapshot, where there is one, makes new standings; how long that
    // took is told by work().
    void draw(report::LiveState state, std::optional<scheduler::ContestSnapshot> snapshot);
    Duration work() const { return work_; }
    // Takes the table away and writes what was said; waits for that. Nothing is drawn any more, and
    // what is said then is written at once.
    void finish();

 private:
    struct News;
    struct Piece;
    class Canvas;

    std::ostream& out_;
    std::unique_ptr<News> news_;      // for the next drawing
    std::shared_ptr<Canvas> canvas_;  // only the thread touches it, as long as there is one
    std::shared_ptr<Piece> piece_;    // the last one
    bool drawing_ = false;
    Duration work_{};
    std::unique_ptr<loop::BackgroundThread> thread_;  // null: it is finished
    loop::Life life_;
};

// Whether the standard output is a terminal on which a table can be drawn again and again.
bool can_show_a_table();

}  // namespace referee::daemon
