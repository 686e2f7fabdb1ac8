#pragma once

#include <sys/types.h>

#include <cerrno>
#include <ctime>
#include <optional>
#include <span>

#include "referee/game/clock/time.h"
#include "referee/net/loop/machine.h"

namespace referee::transport {

// Asks the kernel to stamp what arrives on this socket, and on all that are accepted from it. False
// where it doesn't: on a pipe, and on a local socket, which takes the request but never stamps.
//
// The kernel stamps while any socket of the machine asks for it, and begins a moment after the
// first did: usually at once, on a busy machine some milliseconds later. What arrives before that
// has no stamp.
bool stamp_arrivals(int socket);

struct StampedRead {
    ssize_t bytes = 0;              // as recv() returns it, with errno
    std::optional<timespec> stamp;  // the kernel's, of the last of the bytes, by the wall clock
};

// Reads what has arrived, without waiting; `flags` are those of recv(), MSG_PEEK for instance.
// Requires a socket.
StampedRead read_stamped(int socket, std::span<char> buffer, int flags = 0);

// Whether a call on a non-blocking socket or pipe failed only because it has to be made again
// later.
inline bool is_would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

// Turns the kernel's receive stamps, which are wall-clock time, into the referee's monotonic time.
// The wall clock may run faster or slower for a while, because something sets it right: that is
// measured from look to look, and counts for the age of the stamp. When it steps between arrival
// and reading, the stamp is useless.
class StampConverter {
 public:
    // Converts the stamp of something that happened a moment ago; nothing where it is useless.
    std::optional<Instant> convert(const timespec& wall_stamp);

    // How many steps of the wall clock were noticed.
    unsigned long steps() const { return steps_; }

 private:
    // Whether the wall clock stepped since the last look.
    bool look(const loop::WallClock& wall);

    std::optional<loop::WallClock> seen_;  // at the last look
    double slew_ = 0;  // by how much the wall clock gains, of the time that passes
    unsigned long steps_ = 0;
};

}  // namespace referee::transport
