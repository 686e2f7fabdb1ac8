#pragma once

#include <iosfwd>
#include <string>

#include "referee/arena/scheduler/scheduler.h"
#include "referee/games/clock/time.h"

namespace referee::report {

// Shows a run's progress: on a terminal as a bar that is drawn again and again, elsewhere as plain
// lines. Writes nothing more often than a person can read it.
class Progress {
 public:
    // `names`: what it draws may name tournaments.
    Progress(std::ostream& out, bool terminal, bool names)
        : out_(out), terminal_(terminal), names_(names) {}

    // Tells what the run is waiting for, where somebody must know of it. Each wait is told when it
    // begins.
    void waiting(const std::vector<scheduler::Waiting>& waiting, Instant now);
    // Call it while no game is played: on a terminal it draws the remaining time again.
    void idle(Instant now);
    void update(const scheduler::Scheduler& scheduler, Instant now);
    // Prints a line of its own, above the bar.
    void say(const std::string& line);
    // Ends the bar.
    void done(const scheduler::Scheduler& scheduler, Instant now);

 private:
    std::string line_of(const scheduler::Scheduler& scheduler, Instant now) const;
    void begin(const scheduler::Scheduler& scheduler, Instant now);
    void clear();

    std::ostream& out_;
    bool terminal_;
    bool names_;
    bool drawn_ = false;
    Instant begun_{};
    std::uint64_t matches_before_ = 0;  // of a former run that this one goes on with
    std::uint64_t games_before_ = 0;
    Instant shown_{};
    std::vector<scheduler::Waiting> waiting_;
};

}  // namespace referee::report
