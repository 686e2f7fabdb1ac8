#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <string_view>

#include "referee/game/clock/time.h"

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

}  // namespace referee::transport
