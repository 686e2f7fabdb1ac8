#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "referee/store/records/records.h"

namespace referee::scheduler {

// A match that is to be played as a whole, or what is left of it. Its first game's key names it for
// ever: what is given again, because it was lost, has another attempt.
struct MatchTask {
    struct Game {
        GameKey key;
        std::size_t setup = 0;  // which of the tournament's setups, from 0
        std::uint32_t seed = 1;
        std::vector<std::string> bots;  // by seat
    };
    // In their order, one at least. Those behind the first are played until the match is decided or
    // one of them doesn't count; those of a game for one seat don't wait for each other.
    std::vector<Game> games;
    std::uint32_t games_max = 1;  // as bots are told it
    // One of the two has to go on, with so many games more where the match is level.
    bool one_goes_on = false;
    std::uint32_t extra_games = 0;

    const GameKey& key() const { return games.front().key; }
};

// Plays matches outside of this process: a batch system, say. What it has taken it keeps, also when
// this process ends, until it is told that the result is recorded, or that nobody wants it any
// more. All calls are made on the loop's thread.
class Executor {
 public:
    // What becomes of a result.
    enum class Verdict {
        // It will be recorded, and forget() tells when it is. Where this process ends before, it
        // is to be brought to the next one.
        taken,
        // It is recorded already, as by a process before this one: who holds the task drops it.
        known,
        // Brought before, of an old attempt, or of nothing that was given: it doesn't count, and
        // who holds the task drops it.
        unexpected,
        // It doesn't have the games of its task: it doesn't count, and the match goes anew.
        unfit,
    };
    // To whom results are brought.
    class Client {
     public:
        virtual ~Client() = default;
        // In the order of the games. It may come twice, and late.
        virtual Verdict bring(const GameKey& task, std::vector<records::GameRecord> games) = 0;
        // It will never come, and is no longer held. The match goes anew, as another task.
        virtual void lose(const GameKey& task, const std::string& reason) = 0;
        // There is room again, or other trouble than before.
        virtual void look() = 0;
    };

    virtual ~Executor() = default;
    // Once, before anything else; null: nobody takes anything any more. The client outlives that.
    virtual void serve(Client* client) = 0;
    // Whether it plays matches of this bot at all. Those with one that it doesn't are played at
    // tables here.
    virtual bool takes(const std::string& tournament, const std::string& bot) const = 0;
    // How many more tasks it would take now. Asked before their starts are recorded.
    virtual std::size_t room() const = 0;
    // What keeps it from playing, and what to do, for people; empty: nothing does.
    virtual std::string trouble() const { return {}; }
    // The start of its first game is recorded: it is to be played. Never calls the client from
    // inside.
    virtual void play(MatchTask task) = 0;
    // Whether it has taken that task and not yet been told of its end; asked after a restart.
    virtual bool holds(const GameKey& task) const = 0;
    // Whether a machine may play that task by now; else it waits for one.
    virtual bool is_out(const GameKey& task) const = 0;
    // The end of a task: its result is recorded, or nobody wants it any more. Never calls the
    // client from inside. Ignored where it doesn't hold the task.
    virtual void forget(const GameKey& task) = 0;
};

}  // namespace referee::scheduler
