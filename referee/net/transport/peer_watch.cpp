#include "referee/net/transport/peer_watch.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace referee::transport {
namespace {

// On a connection where nothing comes, the kernel asks after so many seconds whether the peer is
// there, and then again and again. That is seldom enough to cost nothing with a thousand quiet
// bots.
constexpr int quiet_s = 10;
constexpr int ask_again_s = 5;
// A connection is dead when nothing was answered for so long. It is longer than a laptop takes from
// one Wi-Fi to another, and short enough that no match begins with a bot that left minutes ago. It
// holds for both ways of noticing: probes of a quiet line, and sent bytes that are not
// acknowledged.
constexpr int unanswered_s = 20;
constexpr int probes = (unanswered_s - quiet_s) / ask_again_s;
constexpr unsigned unanswered_ms = unanswered_s * 1000;

// Room for some dozens of usual states. If it were larger, it would hide a bot that doesn't read;
// if it were smaller, even a bot that reads well would get its lines in more pieces.
constexpr int unsent_bytes_max = 64 * 1024;

template <typename Value>
void set(int socket, int level, int option, Value value) {
    // A kernel may not know the option; then there is nothing better to do.
    static_cast<void>(setsockopt(socket, level, option, &value, sizeof value));
}

}  // namespace

void watch_peer(int socket) {
    set(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
    set(socket, IPPROTO_TCP, TCP_KEEPIDLE, quiet_s);
    set(socket, IPPROTO_TCP, TCP_KEEPINTVL, ask_again_s);
    set(socket, IPPROTO_TCP, TCP_KEEPCNT, probes);
    set(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, unanswered_ms);
}

void set_up_for_bots(int socket) {
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    watch_peer(socket);
    set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, unsent_bytes_max);
}

}  // namespace referee::transport
