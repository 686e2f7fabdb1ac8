#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/lobby/lobby.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/waits.h"

namespace referee::scheduler {

// Since when a bot keeps games waiting, because it is away, or because it is here and doesn't play
// that game. Tournaments of the same game share one absence.
class Absences {
 public:
    // A game waits for the bot, or the bot left a game. Returns since when any game does: from now
    // on where none did before.
    Instant begin(const lobby::Bot& bot, const std::string& game, Instant now) {
        return since_.try_emplace({bot.name(), game}, now).first->second;
    }
    // Nothing where no game waits for the bot.
    std::optional<Instant> since(const lobby::Bot& bot, const std::string& game) const;
    // Bots that have come are absent no more: the next absence begins anew.
    void forget_present(lobby::Lobby& lobby);

 private:
    std::map<std::pair<std::string, std::string>, Instant> since_;  // by bot and game
};

// For which bots a contest waits, and how long: for all of them before the first games, later for
// the bots of each game. It also knows which bots have come again after a withdrawal.
class Attendance : ContestPart {
 public:
    using ContestPart::ContestPart;

    // Whether the first games may begin: all bots are there, or were waited for long enough. The
    // first call of it calls the bots, and the waiting begins.
    bool gather();
    // Whether the first games wait for bots to connect, so that begin_without() makes a difference.
    bool waits_for_arrivals();
    // The first games begin without the bots that have not come.
    void begin_without() {
        gathered_ = true;
        excuse();
    }
    // The contest goes on after a break: it waits for the bots that are away as long as at first.
    void wait_anew();
    // Nobody is blamed for having been away up to now: the time of each absence begins anew.
    void excuse() { excused_until_ = context_.timers.now(); }

    // A game waits for a bot that is away. Returns until when.
    Instant await(const lobby::Bot& bot);

    // A bot has logged in. This may be called while the next round is being drawn on another
    // thread, so it doesn't ask the contest.
    void came(const lobby::Bot& bot);
    // Another program plays in its name from now on: it counts as one that came, launched or not.
    void came_anew(const lobby::Bot& bot);
    // Which of the bots that came since the last call are to be let in again, because they were
    // withdrawn for having been away or silent.
    std::vector<formats::Entry> back();

    // Tells which bots the first games wait for. False where their bots were not called yet, or the
    // waiting is over.
    bool add_arrivals(std::vector<Wait>& found);
    // Tells of each bot that games wait for, as long as it may still come.
    void add_absences(std::vector<Wait>& found);

 private:
    struct Called {
        Instant at{};
        Instant look_again_at{};
        formats::Entrant missing = 0;  // one who was, at the last look at all of them
    };

    bool has_gathered() const;
    // Whether it has to dial in for the first games, and is not there.
    bool is_missing(formats::Entrant entrant);
    std::optional<formats::Entrant> first_missing();
    Instant given_up_at(const lobby::Bot& bot, Instant away_since) const;

    std::optional<Called> called_;  // since then it waits for the bots of its first games
    bool gathered_ = false;         // no more
    Instant excused_until_{};
    std::vector<std::string> came_;  // since the last back()
};

}  // namespace referee::scheduler
