#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "engines/game.h"
#include "protocol/codec.h"
#include "protocol/framer.h"
#include "referee/runtime/transport.h"

namespace referee::run {

// A person at the terminal as a bot: speaks the protocol over a local pair of sockets, shows the
// position, asks for a move, and lets nothing through that the rules would refuse. Runs on the
// loop's thread, but for a thread of its own that waits for lines.
class Person {
 public:
    // `state` gives the game's present state while a turn of the person is on.
    using StateOf = std::function<const engines::State*()>;

    // Lines come from `in`, questions go to `out`; both outlive the program's use of them.
    Person(const boost::asio::any_io_executor& loop, std::string name, std::string token,
           const engines::Game& game, StateOf state, std::istream& in, std::ostream& out);
    ~Person();
    Person(const Person&) = delete;
    Person& operator=(const Person&) = delete;
    Person(Person&&) = delete;
    Person& operator=(Person&&) = delete;

    // The referee's end of the pair: to be admitted to the lobby. Once.
    std::unique_ptr<runtime::Transport> take_far_end();

 private:
    // What the thread that waits for lines shares with the person; it may outlive it.
    struct Lines;

    boost::asio::awaitable<void> listen();
    void handle(std::string_view line);
    void ask();
    void on_line(const std::string& line, bool end);
    void send(const std::string& line);

    boost::asio::any_io_executor loop_;
    std::string name_;
    std::string token_;
    const engines::Game& game_;
    StateOf state_;
    std::ostream& out_;
    std::unique_ptr<runtime::Transport> near_;
    std::unique_ptr<runtime::Transport> far_;
    protocol::Framer framer_;
    protocol::json::Document document_;
    std::shared_ptr<Lines> lines_;
    std::deque<std::string> typed_ahead_;
    std::string game_id_;
    std::int64_t turn_ = 0;
    engines::Seat seat_ = 0;
    bool asked_ = false;
    bool gone_ = false;
};

}  // namespace referee::run
