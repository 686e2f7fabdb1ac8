#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/loop/time_share.h"
#include "referee/net/loop/timers.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/transport/transport.h"

namespace referee::control {

// An order is short: a longer request is not from ctl.
inline constexpr std::size_t order_bytes_max = 16 * 1024;
// A request must be there so long after its connection was made, or after the answer before it; and
// an answer must be taken within that. ctl asks at once.
inline constexpr Duration order_time_max = std::chrono::seconds(30);
// Connections that give orders, at one address. Enough, since instructors are few; where more come,
// the oldest of those that only wait goes.
inline constexpr std::size_t order_connections_max = 32;

// Carries out an instructor's orders. A request is an object such as
// {"command":"pause","tournament":"friday","reason":"lunch"}. The answer is one line,
// {"ok":true,...} or {"ok":false,"error":"..."}. It is given once, at once or later.
class ControlCommands {
 public:
    using Answer = std::function<void(std::string line)>;

    virtual ~ControlCommands() = default;
    virtual void carry_out(protocol::json::View request, Answer answer) = 0;
};

// {"ok":false,"error":"..."} as a line.
std::string refusal(const std::string& message);

// What all connections at an address work with; it outlives them, or they are closed before.
struct ControlContext {
    boost::asio::any_io_executor executor;
    loop::Timers& timers;
    std::shared_ptr<ControlCommands*> commands;  // to null once the daemon is stopping
    lobby::Guesses& guesses;                     // at the admin token
    std::string token{};                         // empty: none is asked
    // What is done for whoever has not told the token yet is charged to it; null: to nothing.
    loop::TimeShare* strangers_time = nullptr;
};

// One connection of a ctl: a request, its answer, the next request. It lives as long as something
// of it is under way.
class ControlConnection : public std::enable_shared_from_this<ControlConnection> {
 public:
    ControlConnection(std::unique_ptr<transport::Transport> link, ControlContext context);

    void begin();
    void close();
    // Tells why, if the other side reads, and closes.
    void refuse(const std::string& why);
    bool closed() const { return phase_ == Phase::closed; }
    // The higher, the sooner it may have to go: those that wait without having shown that they
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

    std::unique_ptr<transport::Transport> link_;
    ControlContext context_;
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

// How orders over TCP are encrypted.
struct Encryption {
    std::string host;  // by which other machines know this one
    // The certificate of connections that begin now; never null.
    std::function<std::shared_ptr<const tls::Context>()> context;
};

// Takes orders over a Unix socket; whoever may open the socket's file may give orders. Where asked,
// also over TCP, in plain text or by TLS; there each request carries the admin token as "token",
// and answers to wrong ones come ever later (lobby::Guesses). A connection may send any number of
// requests, one after the other. Each address has places of its own; where all are taken the oldest
// connection that only waits goes, and none waits for long. Runs on the loop's thread.
class ControlServer {
 public:
    // Is told a line for the log when wrong admin tokens are tried.
    using OnGuessing = std::function<void(const std::string& news)>;

    // The timers and the commands outlive the server.
    ControlServer(const boost::asio::any_io_executor& loop, loop::Timers& timers,
                  ControlCommands& commands, OnGuessing on_guessing);
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

    // Both errors say why it can't listen there and what to do, in words for a person.
    //
    // Only the user that runs the daemon may use the socket (mode 0600). A socket that a dead
    // daemon left is taken over; one that somebody answers is not.
    base::Result<void, std::string> listen_unix(const std::string& path);
    // In plain text where no encryption is given. What is done for whoever has not told the token
    // is charged to the share, which outlives all connections.
    base::Result<void, std::string> listen_tcp(const std::string& address, std::uint16_t port,
                                               const std::string& token,
                                               loop::TimeShare& strangers_time,
                                               std::optional<Encryption> encryption = {});
    // Where it really listens over TCP.
    std::string tcp_endpoint() const;
    // The same as ctl wants it: "127.0.0.1:7780", "tls://lab-server:7780#sha256=...".
    std::string tcp_address() const;

    // Takes no more requests; removes the Unix socket.
    void close();

 private:
    class Acceptor;

    lobby::Guesses guesses_;
    ControlContext context_;
    std::unique_ptr<Acceptor> unix_acceptor_;
    std::unique_ptr<Acceptor> tcp_acceptor_;
    std::optional<Encryption> encryption_;  // of tcp_acceptor_
    std::string path_;
};

}  // namespace referee::control
