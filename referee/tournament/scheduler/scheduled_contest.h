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
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/tables.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

// What the calendar says of a tournament at present.
struct Timetable {
    std::string comes_next;  // ContestStatus::comes_next
    bool closed = false;     // no match begins now; those that have begun are played on

    bool operator==(const Timetable&) const = default;
};

// Who sits down at a game.
struct Seating {
    std::vector<lobby::Bot*> bots;      // by seat
    std::vector<engines::Seat> absent;  // of bots that did not come in time, or play no more
};

// A contest, and what a scheduler keeps beside it.
struct ScheduledContest {
    ScheduledContest(std::unique_ptr<contests::Contest> played, const SharedByContests& all_share)
        : shared(all_share),
          contest(std::move(played)),
          field(*contest, shared.context.lobby),
          attendance(*contest, field, shared),
          aside(*contest, field, shared),
          ladder(*contest, field, shared) {}

    // How it stands, with what the calendar says and the time that is left.
    contests::ContestStatus status() const;
    // Whether one of its games is to be tried alone before any other begins.
    bool holds_others_back();
    // Draws the next round on another thread; the contest must not change meanwhile. Then
    // calls `then`.
    void draw_beside(std::function<void()> then);
    // Ends a format's drawing when its time is over. A restart comes to the same: what was drawn
    // before that is on record.
    void end_by_time();
    // How many games may wait to begin. What is drawn is played; so a format that ends as soon as
    // it is decided draws no more games than can begin now.
    std::size_t drawn_ahead();
    // Adds what doesn't go on in it at present, and for whom it waits.
    void add_waits(std::vector<Wait>& found);
    // Whether the referee launches a bot of the game.
    bool has_launched(const contests::GamePlan& plan);
    // Who sits down at the game now; nothing while one of its bots is busy, or is awaited. Calls
    // the bots that are away, and sees to the look at the end of their time.
    std::optional<Seating> seating_for(const contests::GamePlan& plan);
    // What the play of that game is made of.
    play::PlaySetup setup_of(const contests::GamePlan& plan, const Seating& seating) const;

    SharedByContests shared;
    std::unique_ptr<contests::Contest> contest;
    TournamentField field;
    Attendance attendance;
    AsideGames aside;
    LadderMatching ladder;
    // When it began, in whatever run: its format may end by its time.
    std::optional<Instant> began;
    // What the calendar says of it.
    Timetable timetable;
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

// What the play of a game of a tournament is made of, of which no contest is here.
play::PlaySetup setup_of(const config::TournamentConfig& tournament, const engines::Game& rules,
                         const MatchTask::Game& game, const Seating& seating,
                         const BotSupply& supply);

}  // namespace referee::scheduler
