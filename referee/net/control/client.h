#pragma once

#include <optional>
#include <string>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "referee/net/control/dialled_connection.h"

namespace referee::control {

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
