#pragma once

#include "referee/games/clock/time.h"

namespace referee::net {

// What the kernel knows of a TCP connection's way. Zeros where it knows nothing.
struct TcpFacts {
    // The smallest round trip of the last minutes (net.ipv4.tcp_min_rtt_wlen). A peer that delays
    // its acknowledgements for longer than that raises it.
    Duration least_round_trip{};
    // The mean deviation of round trips. Delayed acknowledgements count in it like the way's own
    // jitter.
    Duration deviation{};
};

TcpFacts tcp_facts(int socket);

}  // namespace referee::net
