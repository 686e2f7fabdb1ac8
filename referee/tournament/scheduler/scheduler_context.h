#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/game/play/play.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_watch.h"
#include "referee/net/loop/timers.h"
#include "referee/store/records/journal.h"
#include "referee/tournament/scheduler/executor.h"
#include "referee/tournament/table/cores.h"

namespace referee::scheduler {

// Brings bots that the referee launches itself: the scheduler asks for them, and the referee tells
// which there are, and which bots come and leave.
class BotSupply {
 public:
    virtual ~BotSupply() = default;
    // A launched bot, as the config describes it now.
    virtual void know(const config::BotConfig& /*bot*/) {}
    // A bot that is known is launched in another way now: its process, if any, ends with the match
    // that it is in; at once where it is in none.
    virtual void launch_anew(lobby::Bot& /*bot*/) {}
    // The same, and nobody launches the bot any more, until it is made known again.
    virtual void retire(lobby::Bot& /*bot*/) {}
    // A bot, launched or not, has logged in.
    virtual void arrived(lobby::Bot& /*bot*/) {}
    // What a bot, launched or not, said before it was logged in was answered by this error.
    virtual void turned_away(lobby::Bot& /*bot*/, const protocol::ProtocolError& /*error*/) {}
    // Its connection has ended.
    virtual void left(lobby::Bot& /*bot*/) {}
    // A match was dropped, and the bot is in no game: it is in no match either.
    virtual void match_dropped(lobby::Bot& /*bot*/) {}
    // Whether it launches this bot.
    virtual bool launches(const lobby::Bot& bot) const = 0;
    // A game waits for the bot, which is away: sees to it that the bot comes.
    virtual void want(lobby::Bot& bot) = 0;
    // Whether the bot stays after a game. One that doesn't stay begins no other game before
    // game_over() was called.
    virtual bool stays(const lobby::Bot& /*bot*/) const { return true; }
    // What is known of a bot that is away; nothing of one that it doesn't launch.
    struct Coming {
        std::optional<Instant> until;  // it is being started, and has until then to log in
        play::Absence absence;         // why it isn't there yet, if something went wrong
        std::string launch;            // what follows "who": "is being launched"
        bool failing = false;          // its launch was tried, and failed
        bool given_up = false;         // nobody launches it again, unless an order changes that
    };
    virtual Coming coming(const lobby::Bot& /*bot*/) const { return {}; }
    // A game of the bot, or its match, is over.
    virtual void game_over(lobby::Bot& bot, bool match_over) = 0;
};

// What the scheduler works with; all of it outlives it.
struct SchedulerContext {
    loop::Timers& timers;
    lobby::Lobby& lobby;
    records::Journal& journal;
    BotSupply& supply;
    const loop::StallSource& stalls;
    table::Cores& cores;
    loop::Background& background;
    Executor* executor = nullptr;  // plays matches elsewhere; null: all are played here
};

// What the instructor set for all tournaments. It may change while they are played.
struct Settings {
    std::size_t games_at_once = 1;
    std::size_t launched_games_at_once = SIZE_MAX;  // of these, with a bot that is launched
    Duration join_within{};  // how long a tournament's first games wait for all bots to be there
    bool stays = false;      // goes on when every tournament is over: more may come
    // What the pseudonyms are made with that bots are told; empty: they are told names.
    std::string names_secret = {};
    std::vector<std::string> names = {};  // that are hidden then, whoever else is here
};

// When the scheduler looks for games that can begin. A part that waits for a moment asks for a look
// at that moment. A part during which no game may begin holds the looks off. On the loop's thread.
class Wakeups {
 public:
    // The timers outlive this.
    Wakeups(loop::Timers& timers, std::function<void()> look)
        : timers_(timers), look_(std::move(look)) {}
    ~Wakeups() { cancel(); }
    Wakeups(const Wakeups&) = delete;
    Wakeups& operator=(const Wakeups&) = delete;

    // There is a look then, or earlier. Only the earliest moment is kept: at each look, those who
    // still wait ask again.
    void wake_by(Instant at) {
        if (timer_ != 0 && timer_at_ <= at) return;
        timers_.cancel(timer_);
        timer_at_ = at;
        timer_ = timers_.schedule(at, [this] {
            timer_ = 0;
            look_();
        });
    }
    // No look is due any more.
    void cancel() { timers_.cancel(std::exchange(timer_, 0)); }

    // No look begins while this lives. It ends before its Wakeups.
    class Hold {
     public:
        explicit Hold(Wakeups& wakeups) : wakeups_(wakeups) { ++wakeups_.holds_; }
        ~Hold() { --wakeups_.holds_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

     private:
        Wakeups& wakeups_;
    };
    // Whether somebody holds the looks off: one that is wanted now has to come later.
    bool held() const { return holds_ > 0; }

 private:
    loop::Timers& timers_;
    std::function<void()> look_;
    std::size_t holds_ = 0;
    loop::Timers::Id timer_ = 0;
    Instant timer_at_{};
};

}  // namespace referee::scheduler
