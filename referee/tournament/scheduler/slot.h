#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/aside_games.h"
#include "referee/tournament/scheduler/attendance.h"
#include "referee/tournament/scheduler/ladder_matching.h"

namespace referee::scheduler {

// What the calendar says of a tournament at present.
struct Timetable {
    std::string comes_next;  // ContestStatus::comes_next
    bool closed = false;     // no match begins now; those that have begun are played on

    bool operator==(const Timetable&) const = default;
};

// A contest, and what a scheduler keeps beside it.
struct Slot {
    // All but the contest outlive it.
    Slot(std::unique_ptr<contests::Contest> played, Absences& absences, Tables& tables,
         Wakeups& wakeups, const Settings& settings, const SchedulerContext& context)
        : contest(std::move(played)),
          field(*contest, context.lobby),
          attendance(*contest, field, absences, wakeups, settings, context),
          aside(*contest, field, tables, wakeups, settings, context),
          ladder(*contest, field, attendance, tables, wakeups, context) {}

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
};

using Slots = std::vector<std::unique_ptr<Slot>>;  // in the order in which they were added

// Null where there is none of that id.
inline Slot* slot_named(const Slots& slots, std::string_view tournament) {
    for (const auto& slot : slots) {
        if (slot->contest->config().id == tournament) return slot.get();
    }
    return nullptr;
}

}  // namespace referee::scheduler
