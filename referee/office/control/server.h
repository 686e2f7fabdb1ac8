#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "referee/office/control/commands.h"

namespace referee::control {

// Why it can't listen there; for a person.
struct ControlError {
    std::string message;
};

// Takes orders over a Unix socket, whose file permissions are the key, and where asked over TCP,
// where each request carries the admin token as "token". A connection may send any number of
// requests, one after the other. Runs on the loop's thread.
class Server {
 public:
    // The commands outlive the server, the server outlives the loop's run.
    Server(const boost::asio::any_io_executor& loop, Commands& commands);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    // For the user that runs the daemon alone (mode 0600). A socket that a dead daemon left is
    // taken over, one that is answered is not.
    std::optional<ControlError> listen_unix(const std::string& path);
    std::optional<ControlError> listen_tcp(const std::string& address, std::uint16_t port,
                                           const std::string& token);
    // Where it really listens over TCP.
    std::string tcp_endpoint() const;

    // No more requests; removes the Unix socket.
    void close();

 private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace referee::control
