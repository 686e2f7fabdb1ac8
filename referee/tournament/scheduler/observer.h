#pragma once

#include <memory>
#include <string>
#include <vector>

#include "referee/contest/formats/match.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest_view.h"
#include "referee/tournament/scheduler/waits.h"
#include "referee/tournament/table/table.h"

namespace referee::scheduler {

// The scheduler tells observers how things go. All that it is told is recorded already.
class Observer {
 public:
    virtual ~Observer() = default;
    // All that does not go on at present. Told when other things wait than before, or for other
    // bots; at most once a second.
    virtual void on_waits(const std::vector<Wait>& /*waiting*/) {}
    virtual void on_game_started(const std::string& /*tournament*/, const table::Table& /*table*/) {
    }
    // A game is over. It may be kept: it is never changed. `table`: where it was played; null:
    // elsewhere.
    virtual void on_game(const std::shared_ptr<const records::GameRecord>& /*game*/,
                         const table::Table* /*table*/) {}
    virtual void on_match(const std::string& /*tournament*/,
                          const formats::MatchResult& /*match*/) {}
    // A match of a ladder is not played, and why.
    virtual void on_dropped(const std::string& /*tournament*/, const std::string& /*reason*/) {}
    // The tournament is in another state: over, paused, resumed or aborted.
    virtual void on_state(const std::string& /*tournament*/, records::TournamentState /*state*/,
                          const std::string& /*reason*/) {}
    // The calendar brings something else next.
    virtual void on_timetable(const contests::ContestStatus& /*contest*/) {}
    // Games that counted don't any more, by order, and are played again; or they count again.
    struct Annulled {
        std::vector<GameKey> games;
        std::string reason;
        bool count_again = false;
    };
    virtual void on_annulled(const std::string& /*tournament*/, const Annulled& /*annulled*/) {}
    // A game of the tournament is set aside, because it was annulled again and again. What people
    // should know of it comes by on_waits().
    virtual void on_set_aside(const std::string& /*tournament*/) {}
    // A bot is out of the tournament; or it was let in, for the first time or again.
    virtual void on_withdrawn(const std::string& /*tournament*/, const std::string& /*bot*/,
                              const std::string& /*reason*/) {}
    virtual void on_admitted(const std::string& /*tournament*/, const std::string& /*bot*/) {}
    // Nothing can be recorded for now, so no game begins. Empty: the trouble is over.
    virtual void on_store_trouble(const std::string& /*trouble*/) {}
};

// All who are told, in the order in which they were added.
template <typename Told>
class ObserverList {
 public:
    // The observer outlives this.
    void add(Told& observer) { all_.push_back(&observer); }
    // Calls that member of each observer, as in tell(&Observer::on_store_trouble, trouble).
    template <typename... Parameters, typename... Arguments>
    void tell(void (Told::*event)(Parameters...), const Arguments&... arguments) const {
        for (auto* observer : all_) (observer->*event)(arguments...);
    }
    const std::vector<Told*>& all() const { return all_; }

 private:
    std::vector<Told*> all_;
};
using Observers = ObserverList<Observer>;

}  // namespace referee::scheduler
