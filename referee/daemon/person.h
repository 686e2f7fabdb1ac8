#pragma once

#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "referee/daemon/local_bot.h"

namespace referee::daemon {

// What a game's moves are, for the person in a seat who is to type them: some lines.
std::string explained(const engines::Game& game, engines::Seat seat);

// A person at the terminal who plays as a bot. Asks for a move, and asks again, with the reason,
// for one that the rules would refuse; explains the moves where it is asked to. Has a thread of its
// own beside the loop's, which waits for lines.
class Person final : public LocalBot {
 public:
    // `state` gives the game's present state while a turn of the person is on.
    using StateOf = std::function<const engines::State*()>;
    // Draws the position once more.
    using Draw = std::function<void()>;

    // Lines come from `in`, questions go to `out`; both live until the program ends.
    Person(const boost::asio::any_io_executor& loop, std::string name, std::string token,
           const engines::Game& game, StateOf state, Draw draw, std::istream& in,
           std::ostream& out);
    ~Person() override;
    Person(const Person&) = delete;
    Person& operator=(const Person&) = delete;
    Person(Person&&) = delete;
    Person& operator=(Person&&) = delete;

 private:
    // What the thread that waits for lines shares with the person; it may outlive it.
    struct Lines;

    void on_turn() override;
    void on_told(std::string_view message) override;
    void ask();
    // Tells what was wrong with a move, and asks again.
    void refuse(const std::string& reason);
    void on_line(const std::string& line, bool end);

    StateOf state_;
    Draw draw_;
    std::ostream& out_;
    std::shared_ptr<Lines> lines_;
    std::deque<std::string> typed_ahead_;
    bool asked_ = false;
    bool gone_ = false;
};

}  // namespace referee::daemon
