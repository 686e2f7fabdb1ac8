#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "referee/arena/scheduler/absences.h"
#include "referee/arena/scheduler/contest.h"
#include "referee/arena/scheduler/field.h"
#include "referee/arena/scheduler/looks.h"
#include "referee/arena/scheduler/surroundings.h"
#include "referee/arena/scheduler/waiting.h"

namespace referee::scheduler {

// For whom a tournament waits, and how long: for all its bots before the first games, then for
// those of each game; and who has come again since it was withdrawn.
class Attendance {
 public:
    // All of these outlive it.
    Attendance(const Contest& contest, Field& field, Absences& absences, Looks& looks,
               const Settings& settings, const Surroundings& with)
        : contest_(contest),
          field_(field),
          absences_(absences),
          looks_(looks),
          settings_(settings),
          with_(with) {}

    // Whether the first games may begin: all bots are there, or have been waited for long enough.
    // The first to ask calls them.
    bool gather();
    // Whether it still waits for bots to connect, so that begin_without() makes a difference.
    bool waits_for_arrivals();
    // The first games wait no longer for who has not come.
    void begin_without() { gathering_ = Gathered{}; }
    // It goes on after a break: whoever is away is waited for anew, as long as at first.
    void wait_anew();
    // Absences up to now don't count.
    void excuse() { excused_until_ = with_.timers.now(); }

    // A game waits for a bot that is away: until when.
    Instant await(const lobby::Bot& bot);
    // Somebody who was drawn by a former run of the referee has yet to find back to it: until when.
    Instant await_after_restart(const lobby::Bot& bot);

    // A bot has logged in. The contest isn't asked: its next round may be drawn at present.
    void came(const lobby::Bot& bot);
    // Of those, who was withdrawn for having been away or silent: as entries to be let in again.
    std::vector<tournament::Entry> back();

    // Whether the first games have not begun since their bots were called; tells who is missing.
    bool add_arrivals(std::vector<Waiting>& found);
    // Bots for which drawn games wait, until the time is over in which they may come.
    void add_absences(std::vector<Waiting>& found);

 private:
    struct NotCalled {};
    struct Called {
        Instant at{};
    };
    struct Gathered {};

    bool has_gathered() const;
    // Who is to dial in for the first games, and is not there.
    std::vector<std::string> missing();
    Instant given_up_at(const lobby::Bot& bot, Instant away_since) const;
    std::optional<Instant> awaited_until(Entrant entrant);

    const Contest& contest_;
    Field& field_;
    Absences& absences_;
    Looks& looks_;
    const Settings& settings_;
    const Surroundings& with_;
    std::variant<NotCalled, Called, Gathered> gathering_;
    Instant excused_until_{};
    std::vector<std::string> came_;
};

}  // namespace referee::scheduler
