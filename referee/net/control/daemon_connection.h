#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/address.h"
#include "protocol/base/result.h"

namespace referee::control {

// A connection to a daemon, by its Unix socket, TCP or TLS. All calls wait. Their errors are words
// for a person.
class DaemonConnection {
 public:
    enum class PlainText : bool {
        to_this_machine_alone,  // what is said there is nobody else's business
        to_anybody,
    };
    static base::Result<DaemonConnection, std::string> dial(const std::string& unix_socket);
    // Nothing is said to a daemon whose certificate is not the one that the address names.
    static base::Result<DaemonConnection, std::string> dial(const protocol::ServerAddress& address,
                                                            PlainText plain_text);

    base::Result<void, std::string> write(std::string_view bytes);
    // The next line, without its line feed, of at most so many bytes.
    base::Result<std::string, std::string> read_line(std::size_t bytes_max);

 private:
    struct Stream;
    explicit DaemonConnection(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}

    std::shared_ptr<Stream> stream_;  // copies are the same connection
};

// Where a daemon takes orders: a Unix socket, or an address of TCP.
struct Daemon {
    std::string socket;
    std::optional<protocol::ServerAddress> address;  // before the socket
};

// One request, a JSON object without line feed, and its answer. Blocks. Nothing is said to a daemon
// whose certificate is not the one that the address names, and nothing in plain text to another
// machine.
base::Result<std::string, std::string> ask(const Daemon& daemon, const std::string& request);

}  // namespace referee::control
