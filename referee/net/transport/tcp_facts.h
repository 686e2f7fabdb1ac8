#pragma once

#include <cstdint>

#include "referee/game/clock/time.h"

namespace referee::transport {

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

}  // namespace referee::transport
