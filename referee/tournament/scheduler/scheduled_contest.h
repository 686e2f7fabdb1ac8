#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/life.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/aside_games.h"
#include "referee/tournament/scheduler/attendance.h"
#include "referee/tournament/scheduler/ladder_matching.h"
#include "referee/tournament/scheduler/phase.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/tables.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

class MatchesElsewhere;

// What the calendar says of a tournament at present.
struct Timetable {
    std::string comes_next;  // ContestStatus::comes_next
    bool closed = false;     // no match begins now; those that have begun are played on

    bool operator==(const Timetable&) const = default;
};

// A contest, and what a scheduler keeps beside it.
struct ScheduledContest {
    // All but the contest outlive it.
    ScheduledContest(std::unique_ptr<contests::Contest> played, Absences& absences, Tables& tables,
                     Wakeups& wakeups, const Settings& settings, const SchedulerContext& context)
        : contest(std::move(played)),
          field(*contest, context.lobby),
          attendance(*contest, field, absences, tables, wakeups, settings, context),
          aside(*contest, field, absences, tables, wakeups, settings, context),
          ladder(*contest, field, absences, tables, wakeups, settings, context) {}

    // How it stands, with what the calendar says and the time that is left.
    contests::ContestStatus status(Instant now) const;
    // Whether one of its games is to be tried alone before any other begins.
    bool holds_others_back();
    // Draws the next round on another thread; the contest must not change meanwhile. Then
    // calls `then`.
    void draw_beside(loop::Background& background, std::function<void()> then);
    // Ends a format's drawing when its time is over. A restart comes to the same: what was drawn
    // before that is on record.
    void end_by_time(Instant now);
    // How many games may wait to begin. What is drawn is played; so a format that ends as soon as
    // it is decided draws no more games than can begin now.
    std::size_t drawn_ahead();

    std::unique_ptr<contests::Contest> contest;
    TournamentField field;
    Attendance attendance;
    AsideGames aside;
    LadderMatching ladder;
    // When it began, in whatever run: its format may end by its time.
    std::optional<Instant> began;
    // What the calendar says of it.
    Timetable timetable;
    // Whose matches the executor plays, as it was asked last.
    struct Elsewhere {
        std::vector<bool> takes;  // by entrant
        bool all = false;         // it takes everybody
        std::uint64_t asked = 0;  // which time that was
    };
    Elsewhere elsewhere;
    // The next round is being drawn on another thread: the contest must not change.
    bool drawing_in_background = false;
    loop::Life life;
};

// Null where there is none of that id.
inline ScheduledContest* scheduled_named(const ScheduledContests& contests,
                                         std::string_view tournament) {
    for (const auto& scheduled : contests) {
        if (scheduled->contest->config().id == tournament) return scheduled.get();
    }
    return nullptr;
}

// Adds what doesn't go on in a tournament at present, and for whom it waits.
void add_waits(ScheduledContest& scheduled, const Tables& tables, const Settings& settings,
               std::vector<Wait>& found);
// The same of its matches that other machines play, and of what keeps those from playing.
void add_far_waits(ScheduledContest& scheduled, const MatchesElsewhere& elsewhere,
                   std::vector<Wait>& found);

// ---- Who sits down at its games ----

// Who sits down at a game.
struct Seating {
    std::vector<lobby::Bot*> bots;      // by seat
    std::vector<engines::Seat> absent;  // of bots that did not come in time, or play no more
};

// Whether the referee launches a bot of the game.
bool has_launched(ScheduledContest& scheduled, const contests::GamePlan& plan,
                  const BotSupply& supply);

// Who sits down at the game now; nothing while one of its bots is busy, or is awaited. Calls the
// bots that are away, and sees to the look at the end of their time.
std::optional<Seating> seating_for(ScheduledContest& scheduled, const contests::GamePlan& plan,
                                   const Tables& tables, Wakeups& wakeups,
                                   const SchedulerContext& context);

// The bots of games that wait in other tournaments than ladders, and for nobody who is away: a
// ladder leaves these bots free.
std::set<const lobby::Bot*> bots_wanted(const ScheduledContests& contests,
                                        const MatchesElsewhere& elsewhere, const BotSupply& supply);

// What the play of that game of a tournament is made of.
play::PlaySetup setup_of(const config::TournamentConfig& tournament, const engines::Game& rules,
                         const MatchTask::Game& game, const Seating& seating,
                         const BotSupply& supply);
// The same of a contest, which knows who is withdrawn.
play::PlaySetup setup_of(const contests::Contest& contest, const contests::GamePlan& plan,
                         const Seating& seating, const BotSupply& supply);

}  // namespace referee::scheduler
