#include "referee/launch/process/launch_parts.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace referee::process {
namespace {

// A connection inside one machine stands at once, or it never does.
constexpr int connect_wait_ms = 100;

// Strangers on this machine who dial the port before we do; more than one would be an attack.
constexpr int strangers_max = 8;

// What a pipe holds by default. The kernel would take megabytes.
constexpr int unsent_bytes_max = 64 * 1024;

NoSocket failed(const char* what) {
    const int error = errno;
    return {std::string(what) + ": " + error_text(error), error};
}

Descriptor new_socket() {
    return Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

bool becomes(int socket, short event) {
    pollfd watched = {socket, event, 0};
    for (;;) {
        const int ready = ::poll(&watched, 1, connect_wait_ms);
        if (ready >= 0 || errno != EINTR) return ready == 1;
    }
}

template <typename Value>
bool set(const Descriptor& socket, int level, int option, Value value) {
    return ::setsockopt(socket.get(), level, option, &value, sizeof value) == 0;
}

bool same(const sockaddr_in& one, const sockaddr_in& other) {
    return one.sin_port == other.sin_port && one.sin_addr.s_addr == other.sin_addr.s_addr;
}

// The other end of `ours`; what somebody else dialled is dropped.
Descriptor accept_from(const Descriptor& listening, const Descriptor& ours) {
    sockaddr_in own = {};
    socklen_t size = sizeof own;
    if (::getsockname(ours.get(), reinterpret_cast<sockaddr*>(&own), &size) != 0) return {};
    for (int i = 0; i <= strangers_max && becomes(listening.get(), POLLIN); ++i) {
        sockaddr_in peer = {};
        size = sizeof peer;
        Descriptor accepted(
            ::accept4(listening.get(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC));
        if (accepted && same(peer, own)) return accepted;
    }
    errno = ETIMEDOUT;
    return {};
}

// A bot that writes a line in two pieces must not wait for an acknowledgement in between. Our end
// sends nothing ever, so it says so at once; then the kernel answers a write after our end has
// closed as it does on a pipe. The hard close lets it answer so from the first such write on.
bool make_like_a_pipe(const OutputSocket& pair) {
    return set(pair.ours, IPPROTO_TCP, TCP_NODELAY, 1) &&
           set(pair.bots, IPPROTO_TCP, TCP_NODELAY, 1) &&
           set(pair.bots, IPPROTO_TCP, TCP_NOTSENT_LOWAT, unsent_bytes_max) &&
           set(pair.ours, SOL_SOCKET, SO_LINGER, linger{1, 0}) &&
           ::shutdown(pair.ours.get(), SHUT_WR) == 0;
}

}  // namespace

base::Result<OutputSocket, NoSocket> make_output_socket() {
    const Descriptor listening = new_socket();
    OutputSocket pair{new_socket(), {}};
    if (!listening || !pair.ours) return base::failure(failed("no socket"));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listening.get(), place, size) != 0 ||
        ::listen(listening.get(), strangers_max) != 0 ||
        ::getsockname(listening.get(), place, &size) != 0) {
        return base::failure(failed("127.0.0.1 can't be listened on"));
    }
    if (::connect(pair.ours.get(), place, size) != 0 && errno != EINPROGRESS)
        return base::failure(failed("127.0.0.1 can't be connected to"));
    pair.bots = accept_from(listening, pair.ours);
    if (!pair.bots) return base::failure(failed("127.0.0.1 can't be connected to"));
    if (!make_like_a_pipe(pair))
        return base::failure(failed("a connection on 127.0.0.1 can't be set up"));
    return pair;
}

}  // namespace referee::process
