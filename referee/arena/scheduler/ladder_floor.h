#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/arena/scheduler/attendance.h"
#include "referee/arena/scheduler/contest.h"
#include "referee/arena/scheduler/field.h"
#include "referee/arena/scheduler/looks.h"
#include "referee/arena/scheduler/surroundings.h"
#include "referee/arena/scheduler/tables.h"
#include "referee/arena/scheduler/waiting.h"

namespace referee::scheduler {

// Who of a ladder can be paired now: whoever is there and free, doesn't rest, and doesn't wait for
// having left a match before it came to a turn. A rest ends without an event that would wake
// anybody: each call sees to it that there is a next look. Of other formats it says nothing.
class LadderFloor {
 public:
    // All of these outlive it.
    LadderFloor(Contest& contest, Field& field, Attendance& attendance, Tables& tables,
                Looks& looks, const Surroundings& with)
        : contest_(contest),
          field_(field),
          attendance_(attendance),
          tables_(tables),
          looks_(looks),
          with_(with) {}

    // Before a draw: tells the contest who can be paired.
    void offer();
    // Nobody waits for a bot that went as soon as it heard of its game: the others are free again,
    // and the match is dropped when that is recorded, whoever may have come back by then. What a
    // launched bot's end means its table finds out.
    void end_deserted_games();
    // A match that the contest doesn't have any more.
    struct Dropped {
        std::string reason;  // with the match's id
        std::vector<journal::Record> records;
    };
    // Drops the match of a game that waits, where bots of it are gone. The plan is gone then.
    std::optional<Dropped> drop_deserted(const GamePlan& plan);
    // Those of a match that is over rest from now on.
    void rest(const tournament::MatchResult& match);

    // Why none is drawn: too few are here, or they rest, play elsewhere, or are being launched.
    void add_rests(std::vector<Waiting>& found);
    // Also those who are gone: whoever asks why a bot plays no more looks when it is back.
    void add_leavers(std::vector<Waiting>& found) const;

 private:
    // Who left a match before it came to a turn.
    struct Leaver {
        Instant waits_until{};
        bool told = false;  // on its present connection
    };

    bool pairs_who_is_free() const;
    bool waits_for_having_left(Entrant entrant);
    bool others_are_awaited(const std::vector<Entrant>& free);
    std::string why_deserted(std::uint64_t match, std::vector<Entrant>& left);

    Contest& contest_;
    Field& field_;
    Attendance& attendance_;
    Tables& tables_;
    Looks& looks_;
    const Surroundings& with_;
    std::map<std::string, Instant> rests_until_;              // by bot
    std::map<Entrant, Instant> free_since_;                   // who could have been paired
    std::map<Entrant, Leaver> leavers_;                       // who waits for having left
    std::set<Entrant> seen_;                                  // who was there since this began
    std::map<std::uint64_t, std::vector<Entrant>> deserted_;  // matches to drop, who left them
};

}  // namespace referee::scheduler
