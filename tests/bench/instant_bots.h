#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// The Walls board of the benches, and the length of the games on it: each bot fills its half
// column by column, so a game has well over a thousand turns.
inline constexpr int board_size = 35;

// The moves of one seat from the first to the last: the same for both, as the halves mirror.
std::string walls_script(bool right_half);

// What all bots of a process saw together.
struct Tally {
    std::uint64_t turns = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::uint64_t games_ended = 0;
    std::chrono::steady_clock::time_point first_turn{};
    std::chrono::steady_clock::time_point last_turn{};
};

// Connects `count` bots named b0, b1, ... that answer at once: one read and one write a turn, no
// tree of JSON; each real message is looked at. Returns when every connection has ended.
Tally play_instant_bots(const boost::asio::ip::tcp::endpoint& server, std::size_t count);

}  // namespace bench
