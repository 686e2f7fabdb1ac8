#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/framer.h"

namespace kit {

// Lines to and from the referee over a pair of file descriptors, which it owns. Blocking: one read
// takes all that has come, one write sends all that it is given.
class Connection {
 public:
    // By TCP. Null where nobody listens there; `error` says why.
    static std::unique_ptr<Connection> to(const std::string& address, std::string& error);
    // Standard input and output. From now on what the program itself prints on standard output
    // goes to standard error, so that it can't get between the messages.
    static std::unique_ptr<Connection> over_standard_streams();

    Connection(int in, int out);  // the same descriptor twice for a socket
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // The next line, without its end; nothing once the connection is over. Valid until the next
    // call.
    std::optional<std::string_view> read_line();
    // Whether all of it was taken.
    bool write(std::string_view text);

 private:
    int in_;
    int out_;
    protocol::Framer framer_;
};

// "host:port" or "[v6]:port" in two; nothing where it is neither.
struct HostAndPort {
    std::string host, port;
};
std::optional<HostAndPort> split_address(std::string_view address);

}  // namespace kit
