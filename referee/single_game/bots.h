#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "engines/game.h"
#include "protocol/framer.h"
#include "referee/net/lobby/bot.h"
#include "referee/net/loop/life.h"
#include "referee/net/transport/transport.h"

// Who plays in a single game beside launched programs: bots inside this process.

namespace referee::single_game {

// A bot inside the referee's own process: speaks the protocol over a local pair of sockets, on the
// loop's thread. Logs in, gets ready and answers pings by itself; derived classes do the rest.
class LocalBot {
 public:
    struct Login {
        std::string name, token, client;
    };
    // Gives the game's present state while a turn of the bot is on; null: there is none.
    using StateOf = std::function<const engines::State*()>;

    virtual ~LocalBot() = default;
    LocalBot(const LocalBot&) = delete;
    LocalBot& operator=(const LocalBot&) = delete;

    // The referee's end of the pair, to be admitted to the lobby. Call it once.
    std::unique_ptr<transport::Transport> take_far_end() { return std::move(far_); }

 protected:
    LocalBot(const boost::asio::any_io_executor& loop, Login login, const engines::Game& game,
             StateOf state);

    // A turn has begun: call answer(), now or later.
    virtual void on_turn() = 0;
    // The bot was told of a fault or an error, in words.
    virtual void on_told(std::string_view message) = 0;

    // Sends the move, which is JSON text.
    void answer(std::string_view move);
    void leave();

    const engines::Game& game() const { return game_; }
    const engines::State* state() const { return state_(); }
    engines::Seat seat() const { return seat_; }

 private:
    boost::asio::awaitable<void> listen();
    void handle(std::string_view line);
    void send(const std::string& line);

    Login login_;
    const engines::Game& game_;
    StateOf state_;
    std::unique_ptr<transport::Transport> near_;
    std::unique_ptr<transport::Transport> far_;
    protocol::Framer framer_;
    protocol::json::Document document_;
    std::string game_id_;
    std::int64_t turn_ = 0;
    engines::Seat seat_ = 0;
    loop::Life life_;
};

// What a game's moves are, for the person in a seat who is to type them: some lines.
std::string explained(const engines::Game& game, engines::Seat seat);

// A person at the terminal who plays as a bot. Asks for a move, and asks again, with the reason,
// for one that the rules would refuse; explains the moves where it is asked to. Has a thread of its
// own beside the loop's, which waits for lines.
class Person final : public LocalBot {
 public:
    // Draws the position once more.
    using Draw = std::function<void()>;

    // Lines come from `in`, questions go to `out`; both live until the program ends.
    Person(const boost::asio::any_io_executor& loop, std::string name, std::string token,
           const engines::Game& game, StateOf state, Draw draw, std::istream& in,
           std::ostream& out);
    ~Person() override;
    Person(const Person&) = delete;
    Person& operator=(const Person&) = delete;

 private:
    // What the thread that waits for lines shares with the person; it may outlive it.
    struct Lines;

    void on_turn() override;
    void on_told(std::string_view message) override;
    void ask();
    // Tells what was wrong with a move, and asks again.
    void refuse(const std::string& reason);
    void on_line(const std::string& line, bool end);

    Draw draw_;
    std::ostream& out_;
    std::shared_ptr<Lines> lines_;
    std::deque<std::string> typed_ahead_;
    bool asked_ = false;
    bool gone_ = false;
};

// What a game is told of a person's time: a person thinks without a processor. So the games that
// have a rule of time of their own (Light Cycles' mean, Superball's pace) leave a person alone,
// where the clock measures processor time.
class PersonsTime final : public lobby::Process {
 public:
    std::optional<Duration> cpu_time() override { return Duration::zero(); }
    std::string_view cpu_means() const override { return "a person at the terminal"; }
};

// An opponent for any game: plays one of the moves that the game lists as legal, or the game's
// example where it lists none. The same seed gives the same moves.
class RandomPlayer final : public LocalBot {
 public:
    RandomPlayer(const boost::asio::any_io_executor& loop, std::string name, std::string token,
                 const engines::Game& game, StateOf state, std::uint64_t seed)
        : LocalBot(loop, {std::move(name), std::move(token), "the referee's random player"}, game,
                   std::move(state)),
          random_(seed) {}

 private:
    void on_turn() override;
    void on_told(std::string_view /*what is wrong with a random move*/) override {}

    std::mt19937_64 random_;
};

}  // namespace referee::single_game
