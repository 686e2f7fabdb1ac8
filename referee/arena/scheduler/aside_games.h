#pragma once

#include <map>
#include <vector>

#include "referee/arena/scheduler/contest.h"
#include "referee/arena/scheduler/field.h"
#include "referee/arena/scheduler/looks.h"
#include "referee/arena/scheduler/surroundings.h"
#include "referee/arena/scheduler/tables.h"
#include "referee/arena/scheduler/waiting.h"

namespace referee::scheduler {

// Games of a contest that were annulled again and again: they are set aside, and tried again alone
// when they have rested and the machine is calm. Not asked while the next round is being drawn.
class AsideGames {
 public:
    // All of these outlive it.
    AsideGames(const Contest& contest, Field& field, const Tables& tables, Looks& looks,
               const Settings& settings, const Surroundings& with)
        : contest_(contest),
          field_(field),
          tables_(tables),
          looks_(looks),
          settings_(settings),
          with_(with) {}

    // A game that somebody is to forfeit is not played: nothing can disturb it.
    bool has(const GamePlan& plan);
    // The rest before the next try of each game that was set aside begins as soon as it is.
    void note();
    // When nothing else is played and the machine is calm, as far as the watch sees. Requires:
    // noted.
    bool may_try(const GamePlan& plan);
    // It begins: its rest is over.
    void begun(const GamePlan& plan) { tries_at_.erase(plan.key); }
    // A game was waited with for so long that no other begins before it: where there is always
    // something to play nothing would ever be alone.
    bool hold_others_back();
    // Nothing is left of the contest but games that were tried alone often enough.
    bool hopeless();
    void add_waits(std::vector<Waiting>& found);

 private:
    bool is_given_up(const GamePlan& plan) const;
    bool is_calm() const;
    bool can_be_played(const GamePlan& plan);

    const Contest& contest_;
    Field& field_;
    const Tables& tables_;
    Looks& looks_;
    const Settings& settings_;
    const Surroundings& with_;
    std::map<GameKey, Instant> tries_at_;
};

}  // namespace referee::scheduler
