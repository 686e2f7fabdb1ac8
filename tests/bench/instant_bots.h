#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
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
    std::uint64_t games_ended = 0;

    // Inside games: while every pair of bots was between the first turn of a game and the last move
    // of its script, with the server's processor time then.
    std::uint64_t inside_turns = 0;
    double inside_seconds = 0;
    double inside_server_cpu_us = 0;

    // Between games: from a pair's last turn of one game to its first of the next.
    std::uint64_t pauses = 0;
    double pause_seconds = 0;
};

// What bots speak through.
enum class Link : std::uint8_t { tcp, tls };

// Connects `count` bots named b0, b1, ... that answer at once: one read and one write a turn, no
// tree of JSON; each real message is looked at. b0 plays b1, b2 plays b3 and so on.
// `server_process` is whose processor time is asked for. Returns when every connection has ended.
Tally play_instant_bots(const boost::asio::ip::tcp::endpoint& server, std::size_t count,
                        int server_process, Link link = Link::tcp);

}  // namespace bench
