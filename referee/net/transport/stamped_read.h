#pragma once

#include <sys/types.h>

#include <cerrno>
#include <ctime>
#include <optional>
#include <span>

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

}  // namespace referee::transport
