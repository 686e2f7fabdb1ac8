#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "referee/game/clock/seat_clock.h"
#include "referee/game/clock/time.h"
#include "referee/game/result/game_result.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/config_roster.h"

// What an instructor must be told unasked, each as often as it is news: names that were registered,
// versions, turns by doubt, late bots, the lost real-time class, stalls and the disk. EventLog
// hears of it and writes the lines.

namespace referee::server {

// What an instructor must know of the names that were registered.
struct RegistrationsState {
    std::uint64_t waiting = 0;  // for approval, where the config asks for one
    std::uint64_t names = 0;    // that count for the total
    std::uint64_t total = 0;    // the most of them
    bool full = false;          // new names are refused because of the total
    std::string text;           // one line, with orders; empty where there is nothing to do
};
RegistrationsState registrations_state(const tournament::ConfigRoster& roster,
                                       const config::RegistrationConfig& terms);

// Calls `tell` when registrations have changed, but at most once in `every`: what changes meanwhile
// is told at its end. The timers outlive it.
class RegistrationNews {
 public:
    static constexpr Duration every = std::chrono::minutes(1);

    RegistrationNews(loop::Timers& timers, std::function<void()> tell);
    ~RegistrationNews();
    RegistrationNews(const RegistrationNews&) = delete;
    RegistrationNews& operator=(const RegistrationNews&) = delete;

    void changed();

 private:
    void tell_now();

    loop::Timers& timers_;
    std::function<void()> tell_;
    std::optional<Instant> told_at_;
    loop::Timers::Id waiting_ = 0;  // 0: nothing waits to be told
};

// Bots that say another version in nearly each game: an instructor is told once of each, because
// then no figure is of one program.
class VersionNews {
 public:
    // A match of the bot is over, in which that program played (empty: nobody can tell). What is to
    // be told, the first time that there is something.
    std::optional<std::string> played(const std::string& tournament, const std::string& bot,
                                      const std::string& program);

 private:
    struct Seen {
        std::string program;
        std::uint64_t matches = 0;
        std::uint64_t changes = 0;
        bool told = false;
    };
    std::map<std::pair<std::string, std::string>, Seen> seen_;  // by tournament and bot
};

// Turns that were in time only by doubt, by bot and by the address that it played from, and what of
// that is worth a line of the log.
class DoubtedTurns {
 public:
    // A game of the bot has ended, with these. `address` is empty where the bot is away, or is a
    // process of ours.
    void add(const std::string& bot, const std::string& address, const clock::Doubts& doubts);
    clock::Doubts of(std::string_view bot) const;

    // Once for each address: where of all turns from there too many passed by doubt, and several
    // bots had a part in it. Then something is wrong with their common way, or one person has them
    // all. Nothing where it is told already.
    std::optional<std::string> many_from(const std::string& address);
    // Who passed turns by doubt since the last call: "ann from 10.1.1.7 3 of 40 turns, bob 1 of 20
    // turns", those with the most first, `named_max` of them. Empty where nobody did.
    std::string lately();

    static constexpr std::size_t named_max = 5;

 private:
    struct Player {
        std::string address;  // the last one
        clock::Doubts doubts;
    };
    using Players = std::map<std::string, Player, std::less<>>;  // by bot

    Players ever_;
    Players lately_;
    // Where bots play from. Many may play from one, so that nothing is added up bot by bot.
    struct Place {
        clock::Doubts sum;
        std::set<std::string> doubted;  // bots
        bool told = false;
    };
    std::map<std::string, Place, std::less<>> places_;  // by address
};

// Bots that were late in the same seconds, in whatever games: then a machine that they share, or
// the way to it, may be busy, and no bot slow.
class LateBots {
 public:
    static constexpr std::size_t bots_min = 3;  // two of one game may both be slow
    static constexpr Duration together = std::chrono::seconds(2);
    static constexpr Duration remembered = std::chrono::minutes(10);
    static constexpr std::size_t kept_max = 1000;

    void game_began(const std::string& id, Instant now) { begun_[id] = now; }
    void game_ended(const GameResult& game);
    // What there is to say at `now`, with the bots that were late together; empty: nothing.
    std::string text(Instant now) const;
    // The same for the log, once in `remembered`.
    std::optional<std::string> news(Instant now);

 private:
    std::map<std::string, Instant> begun_;      // games that are played, by id
    std::multimap<Instant, std::string> late_;  // the latest bots, as many as are kept
    std::optional<Instant> told_at_;
};

// How often the loop has lost its real-time class, and when that is worth a line of the log: at
// once the first time, and then at most once a minute. Under load it is lost again and again.
class PriorityLosses {
 public:
    static constexpr Duration told_every = std::chrono::minutes(1);

    // It was found to be lost, once more.
    void lost() { ++count_; }
    // The line that is due at `now`, and counts as told: the first says what it means and what
    // helps, the others how many more there were. Nothing where there is nothing new, or where the
    // last line is less than a minute old. Ask again later: then what was held back is due.
    // It also names whose turns passed by doubt since the last line: judged late, or with lines
    // that were read together. That shows who was loud, or who had to bear it.
    std::optional<std::string> news(Instant now, DoubtedTurns& doubted);
    std::uint64_t count() const { return count_; }

 private:
    std::uint64_t count_ = 0;
    std::uint64_t told_ = 0;
    Instant told_at_{};
};

// How the referee's stalls are told: in a line each, but at most one in `line_every`. What was
// passed over is summed up in the next line.
class StallNews {
 public:
    static constexpr Duration line_every = std::chrono::seconds(1);

    // The line to tell; nothing where the last one is too young. `turns` ran while it stood still.
    std::optional<std::string> told(Instant now, std::string_view cause, Duration stood,
                                    std::size_t turns);

 private:
    std::optional<Instant> told_at_;
    std::size_t passed_over_ = 0;
    Duration passed_over_time_{};
};

// On which day the disk is full, if it goes on filling as it did in the last day. Wall-clock times
// come from outside, in milliseconds since 1970.
class DiskForecast {
 public:
    struct Disk {
        std::uint64_t free_bytes = 0;
        std::uint64_t store_bytes = 0;                 // of them taken by the referee's store
        std::uint64_t replay_bytes_most = UINT64_MAX;  // the store keeps no more of replays
    };
    // How the disk of that folder is now. Returns a warning for the log, where one is due: once a
    // day at most, and the first after an hour.
    std::optional<std::string> look(std::int64_t now_ms, Disk disk, const std::string& folder);
    // The same for who asks; empty: it isn't full within the next weeks.
    const std::string& text() const { return text_; }

 private:
    struct Seen {
        std::int64_t at_ms;
        Disk disk;
    };
    std::deque<Seen> seen_;  // of the last day, the last at the end
    std::optional<std::int64_t> told_ms_;
    std::string text_;
};

}  // namespace referee::server
