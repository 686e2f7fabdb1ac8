#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "referee/game/clock/time.h"
#include "referee/net/loop/machine.h"

namespace referee::transport {

// What TLS begins with: the head of a record that carries a handshake. No line of JSON does.
inline constexpr char tls_handshake_record = 0x16;

// Notices a peer whose link is gone without a word: the connection fails after about 20 s without
// an answer, whether bytes are on the way to the peer or nothing is said. A link that comes back
// before that loses nothing. A peer that only thinks is safe, because its kernel answers for it.
void watch_peer(int socket);

// What a bot's connection needs: no delay, watch_peer(), and that bytes which the peer doesn't take
// stay in our own buffer and not in the kernel's, where nobody counts them. (Bytes that are under
// way on a long path are not bounded by this.) Of a socket that listens: all that are accepted from
// it have that, without a call for each.
void set_up_for_bots(int socket);

// What the kernel knows of a TCP connection. Zeros where it knows nothing.
struct TcpFacts {
    // The smallest round trip of the last minutes (net.ipv4.tcp_min_rtt_wlen). A peer that delays
    // its acknowledgements for longer than that raises it.
    Duration least_round_trip{};
    // The mean deviation of round trips. Delayed acknowledgements count in it like the way's own
    // jitter.
    Duration deviation{};
    // What has come so far: segments with bytes in them, and bytes without a gap.
    std::uint32_t data_segments = 0;
    std::uint64_t bytes = 0;
};

TcpFacts tcp_facts(int socket);

// The kernel's own stamps of what is sent on a TCP socket: when it left, and when the peer's kernel
// acknowledged it. They come back on the socket's error queue, which also wakes up who waits for
// the socket, and wakes him again until it is empty.
class SendStamps {
 public:
    struct Seen {
        enum class What : std::uint8_t { left, acknowledged };
        What what{};
        std::uint32_t last_byte = 0;  // counted over all that was sent on the socket
        timespec wall{};
    };

    // Requires a connected socket on which nothing was sent yet.
    explicit SendStamps(int socket);

    // False where the kernel gives none.
    bool available() const { return available_; }
    // As send(2), and asks for stamps of the last byte.
    static ssize_t send_and_ask(int socket, std::string_view bytes);
    // All stamps that have come, one after the other; empties the error queue.
    static void take(int socket, const std::function<void(const Seen&)>& each);

 private:
    bool available_ = false;
};

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
