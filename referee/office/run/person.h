#pragma once

#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "referee/office/run/local_bot.h"

namespace referee::run {

// A person at the terminal who plays as a bot. Shows the position, asks for a move, and asks again
// for a move that the rules would refuse. Has a thread of its own beside the loop's, which waits
// for lines.
class Person final : public LocalBot {
 public:
    // `state` gives the game's present state while a turn of the person is on.
    using StateOf = std::function<const engines::State*()>;

    // Lines come from `in`, questions go to `out`; both live until the program ends.
    Person(const boost::asio::any_io_executor& loop, std::string name, std::string token,
           const engines::Game& game, StateOf state, std::istream& in, std::ostream& out);
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
    void on_line(const std::string& line, bool end);

    StateOf state_;
    std::ostream& out_;
    std::shared_ptr<Lines> lines_;
    std::deque<std::string> typed_ahead_;
    bool asked_ = false;
    bool gone_ = false;
};

}  // namespace referee::run
