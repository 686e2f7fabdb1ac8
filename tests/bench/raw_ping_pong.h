#pragma once

#include <cstdint>

namespace bench {

// The yardstick: a server of plain Asio coroutines that sends `turn_bytes` to one connection of a
// pair, waits for a line, does the same with the other one, and so on. No protocol, no clock, no
// game.
struct RawResult {
    std::uint64_t turns = 0;
    double seconds = 0;
    double server_cpu_us_per_turn = 0;
};
RawResult raw_ping_pong(std::size_t connections, std::size_t turn_bytes, std::uint64_t turns_per_pair);

}  // namespace bench
