#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/address.h"
#include "protocol/base/result.h"

namespace referee::control {

// Why no answer came, in words for a person.
struct NoAnswer {
    std::string message;
};

// A connection to a daemon, by its Unix socket, TCP or TLS. All calls wait.
class DialledConnection {
 public:
    enum class PlainText : bool {
        to_this_machine_alone,  // what is said there is nobody else's business
        to_anybody,
    };
    static base::Result<DialledConnection, NoAnswer> dial(const std::string& unix_socket);
    // Nothing is said to a daemon whose certificate is not the one that the address names.
    static base::Result<DialledConnection, NoAnswer> dial(const protocol::ServerAddress& address,
                                                          PlainText plain_text);
    DialledConnection(DialledConnection&& other) noexcept;
    DialledConnection& operator=(DialledConnection&& other) noexcept;
    DialledConnection(const DialledConnection&) = delete;
    DialledConnection& operator=(const DialledConnection&) = delete;
    ~DialledConnection();

    base::Result<void, NoAnswer> write(std::string_view bytes);
    // The next line, without its line feed, of at most so many bytes.
    base::Result<std::string, NoAnswer> read_line(std::size_t bytes_max);

    class Stream;

 private:
    explicit DialledConnection(std::unique_ptr<Stream> stream);

    std::unique_ptr<Stream> stream_;
};

// Where a daemon takes orders: a Unix socket, or an address of TCP.
struct Daemon {
    std::string socket;
    std::optional<protocol::ServerAddress> address;  // before the socket
};

// One request, a JSON object without line feed, and its answer. Blocks. Nothing is said to a daemon
// whose certificate is not the one that the address names, and nothing in plain text to another
// machine.
base::Result<std::string, NoAnswer> ask(const Daemon& daemon, const std::string& request);

}  // namespace referee::control
