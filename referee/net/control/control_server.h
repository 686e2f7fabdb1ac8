#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "referee/net/control/control_connection.h"
#include "referee/net/tls/context.h"

namespace referee::control {

// Why the server can't listen there, in words for a person.
struct ControlError {
    std::string message;
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
// requests, one after the other. Each door has places of its own; where all are taken the oldest
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

    // Only the user that runs the daemon may use the socket (mode 0600). A socket that a dead
    // daemon left is taken over; one that somebody answers is not.
    base::Result<void, ControlError> listen_unix(const std::string& path);
    // In plain text where no encryption is given. What is done for whoever has not told the token
    // is charged to the share, which outlives all connections.
    base::Result<void, ControlError> listen_tcp(const std::string& address, std::uint16_t port,
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
    class Door;

    lobby::Guesses guesses_;
    ControlContext context_;
    CommandsNow commands_;
    std::unique_ptr<Door> unix_door_;
    std::unique_ptr<Door> tcp_door_;
    std::optional<Encryption> encryption_;  // of tcp_door_
    std::string path_;
};

}  // namespace referee::control
