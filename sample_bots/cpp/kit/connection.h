#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/framer.h"
#include "sample_bots/cpp/kit/tls_link.h"

namespace kit {

// Lines to and from the referee over a pair of file descriptors, which it owns, or by TLS over a
// socket. Blocking: one read
// takes all that has come, one write sends all that it is given.
class Connection {
 public:
    // By TCP, with TLS where the address says so ("tls://...").
    static base::Result<std::unique_ptr<Connection>, NoConnection> to(const std::string& address);
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
    std::unique_ptr<TlsLink> tls_;  // over in_
    protocol::Framer framer_;
};

}  // namespace kit
