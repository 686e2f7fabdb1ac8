#pragma once

#include <cstdint>

#include "tests/bench/instant_bots.h"

namespace bench {

// What each pair of connections plays, as bots of Walls do.
struct RawGames {
    std::uint64_t games = 1;
    std::uint64_t turns = 0;  // a game
};

// The yardstick: a server of plain Asio coroutines, in a process of its own, that sends
// `turn_bytes` to one connection of a pair, waits for a line, does the same with the other one, and
// so on. No protocol, no clock, no game.
Tally raw_ping_pong(std::size_t connections, std::size_t turn_bytes, RawGames games,
                    std::chrono::milliseconds thinks = {});

}  // namespace bench
