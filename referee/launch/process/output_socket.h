#pragma once

// A bot's standard output as a connection on this machine: the kernel stamps what arrives on one,
// in the moment in which the bot writes it. It stamps nothing on a pipe or a local socket.

#include <string>

#include "protocol/base/result.h"
#include "referee/launch/process/kernel_file.h"

namespace referee::process {

// To the bot it is like a pipe: it blocks when about as much waits as in a pipe, reading from it
// gives the end at once, and when our end closes, or we are killed, its next write is a broken
// pipe. But a path to it (/dev/stdout, /proc/self/fd/1) can't be opened.
struct OutputSocket {
    Descriptor ours;  // to read from; doesn't block
    Descriptor bots;
};

struct NoSocket {
    std::string why;
    int error = 0;  // errno
};

// Both ends close on exec. Waits a moment at most, and only where the machine refuses to connect.
base::Result<OutputSocket, NoSocket> make_output_socket();

}  // namespace referee::process
