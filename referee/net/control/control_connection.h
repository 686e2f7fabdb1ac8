#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "referee/net/control/control_commands.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/loop/time_share.h"
#include "referee/net/loop/timers.h"
#include "referee/net/loop/transport.h"

namespace referee::control {

// Points to null once the daemon is stopping.
using CommandsNow = std::shared_ptr<ControlCommands*>;

// What all connections of a server work with; it outlives them, or they are closed before.
struct ControlContext {
    boost::asio::any_io_executor executor;
    loop::Timers& timers;
    lobby::Guesses& guesses;  // at the admin token
    // What is done for whoever has not told the token yet is charged to it; null: to nothing.
    loop::TimeShare* strangers_time = nullptr;
};

// One connection of a ctl: a request, its answer, the next request. It lives as long as something
// of it is under way.
class ControlConnection : public std::enable_shared_from_this<ControlConnection> {
 public:
    // `token`: empty where none is asked. `network`: where it comes from, as wrong tokens are
    // counted.
    ControlConnection(std::unique_ptr<loop::Transport> link, CommandsNow commands,
                      ControlContext context, std::string token, std::string network);

    void begin();
    void close();
    // Tells why, if the other side reads, and closes.
    void show_out(const std::string& why);
    bool closed() const { return phase_ == Phase::closed; }
    // The higher, the sooner it may be shown out: those that wait without having shown that they
    // may give orders, then all that wait, then those whose order is being carried out.
    int idleness() const;

 private:
    enum class Phase : std::uint8_t { waits, delayed, carries_out, answers, closed };
    using Self = std::shared_ptr<ControlConnection>;  // what is under way keeps it alive

    void read();
    boost::asio::awaitable<void> read_request(Self self);
    // Reads what is there. False: that was no whole request yet.
    bool take_request();
    void close_after(Duration time);
    void handle(std::size_t bytes);
    void judge();
    void write(std::string answer);
    boost::asio::awaitable<void> write_answer(Self self);

    std::unique_ptr<loop::Transport> link_;
    CommandsNow commands_;
    ControlContext context_;
    std::string token_;
    lobby::Guesses::Try tried_;
    lobby::Guesses::Place place_;
    std::string in_;
    std::string line_;
    std::string out_;
    loop::Timers::Id timer_ = 0;
    std::optional<loop::TimeShare::Piece> piece_;  // a stranger's request, while it is looked at
    bool trusted_ = false;
    Phase phase_ = Phase::waits;
};

}  // namespace referee::control
