#pragma once

#include <cerrno>

namespace referee::net {

// Whether a call on a socket or pipe that doesn't block only has to be made again later.
inline bool is_would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

}  // namespace referee::net
