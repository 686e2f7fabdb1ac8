#include "referee/connections/net/peer_watch.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace referee::net {
namespace {

// A connection on which nothing comes is asked after for the first time, and then again and again:
// seldom enough to cost a thousand quiet bots nothing.
constexpr int quiet_s = 10;
constexpr int ask_again_s = 5;
// Unanswered so long it is dead: longer than a laptop takes from one Wi-Fi to another, and short
// enough that a match isn't begun with somebody who left minutes ago. Both ways of noticing come
// to the same: probes of a quiet line, and what was sent and not acknowledged.
constexpr int unanswered_s = 20;
constexpr int probes = (unanswered_s - quiet_s) / ask_again_s;
constexpr unsigned unanswered_ms = unanswered_s * 1000;

// Some dozens of usual states. Larger, and it would hide a bot that doesn't read; smaller, and a
// good reader would have to be written to in more pieces.
constexpr int unsent_bytes_max = 64 * 1024;

template <typename Value>
void set(int socket, int level, int option, Value value) {
    // Where a kernel doesn't know it, there is nothing better to do.
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

void bound_unsent(int socket) {
    set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, unsent_bytes_max);
}

}  // namespace referee::net
