#pragma once

#include <map>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

// A run that is to end tries a game that was set aside so often alone, then it ends and names it.
inline constexpr unsigned tries_alone_max = 3;
// The first of these tries comes so long after the game was set aside; each further one twice as
// long after the last, up to the most.
inline constexpr Duration rest_before_try = std::chrono::seconds(10);
inline constexpr Duration rest_before_try_max = std::chrono::minutes(10);
// A machine is calm when the referee stood still for no more than this share of the last
// `rest_before_try`. Half a millisecond of a turn of 50 ms is far from what excuses anybody.
inline constexpr double calm_share = 0.01;
// A machine that is not calm, or has other games to play, is waited for so much longer. Then no
// other game begins, and the game is tried as soon as it is alone.
inline constexpr Duration unrest_waited_max = std::chrono::minutes(1);

// The games of a contest that are set aside, because they were annulled again and again. Each rests
// for a while. Then it is tried alone, when the machine is calm. Requires, in all functions: the
// next round of the contest isn't being drawn on another thread.
class AsideGames : ContestPart {
 public:
    using ContestPart::ContestPart;

    // Whether the game is set aside. One that a bot is going to forfeit isn't: it needs no calm
    // machine, because it isn't played.
    bool has(const contests::GamePlan& plan);
    // The rest of each game begins now, if it has not begun. To be called as soon as a game may
    // have been set aside.
    void note();
    // Whether the game can be tried now: it has rested, nothing else is played, and the machine is
    // calm or was waited for long enough. If not, sees to the next look. Requires: has(), and
    // note() was called since.
    bool may_try(const contests::GamePlan& plan);
    // The game begins. If it is annulled once more, it rests anew.
    void begun(const contests::GamePlan& plan) { tries_at_.erase(plan.key); }
    // Whether a game has waited so long that no other may begin before it. Without this, a referee
    // that always has something to play would never try a game alone.
    bool hold_others_back();
    // Whether nothing is left of the contest but games that are not tried any more.
    bool hopeless();
    // Tells of each game that is set aside, and when it is tried.
    void add_waits(std::vector<Wait>& found);

 private:
    // Whether it was tried alone often enough, in a run that is to end.
    bool is_given_up(const contests::GamePlan& plan) const;
    bool is_calm() const;
    bool can_be_played(const contests::GamePlan& plan);

    std::map<GameKey, Instant> tries_at_;  // when the rest of each game is over
};

}  // namespace referee::scheduler
