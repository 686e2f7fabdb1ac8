#pragma once

#include <string>

#include "protocol/base/result.h"

namespace referee::control {

// Where a daemon takes orders: a Unix socket, or a TCP address with a token.
struct Daemon {
    std::string socket;
    std::string host;  // empty: the Unix socket
    std::string port;
    std::string token;
};

// Why no answer came, in words for a person.
struct NoAnswer {
    std::string message;
};

// One request, a JSON object without line feed, and its answer. Blocks.
base::Result<std::string, NoAnswer> ask(const Daemon& daemon, const std::string& request);

}  // namespace referee::control
