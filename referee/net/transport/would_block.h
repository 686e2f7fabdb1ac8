#pragma once

#include <cerrno>

namespace referee::transport {

// Whether a call on a non-blocking socket or pipe failed only because it has to be made again
// later.
inline bool is_would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace referee::transport
