#pragma once

#include <memory>
#include <string>
#include <vector>

#include "referee/arena/scheduler/waiting.h"
#include "referee/arena/table/table.h"
#include "referee/contests/tournament/match.h"
#include "referee/memory/journal/journal.h"

namespace referee::scheduler {

// Whom the scheduler tells how things go. All of it is recorded already. Whoever listens picks what
// concerns it.
class Observer {
 public:
    virtual ~Observer() = default;
    // All that does not go on at present, when it is something else or somebody else that is waited
    // for than when it was told last; not more often than each second.
    virtual void on_waiting(const std::vector<Waiting>& /*waiting*/) {}
    virtual void on_game_started(const std::string& /*tournament*/, const table::Table& /*table*/) {
    }
    // `game` may be kept: it is never changed.
    virtual void on_game(const std::string& /*tournament*/, const table::Table& /*table*/,
                         const std::shared_ptr<const journal::GameRecord>& /*game*/) {}
    virtual void on_match(const std::string& /*tournament*/,
                          const tournament::MatchResult& /*match*/) {}
    // A match of a ladder is not played, and why.
    virtual void on_dropped(const std::string& /*tournament*/, const std::string& /*reason*/) {}
    // It is over, paused, resumed, aborted.
    virtual void on_state(const std::string& /*tournament*/, journal::TournamentState /*state*/,
                          const std::string& /*reason*/) {}
    // A game of it is set aside, because it was annulled again and again; people are told as of
    // all that waits.
    virtual void on_set_aside(const std::string& /*tournament*/) {}
    // Somebody is out of it, or in it again (then `out` is false).
    virtual void on_attendance(const std::string& /*tournament*/, const std::string& /*bot*/,
                               bool /*out*/, const std::string& /*reason*/) {}
    // Nothing can be recorded for now, and no game begins; empty: it goes on.
    virtual void on_strain(const std::string& /*trouble*/) {}
};

}  // namespace referee::scheduler
