#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <vector>

#include "tests/bench/instant_answers.h"

namespace bench {

// What all bots of a process saw together.
struct Tally {
    std::uint64_t turns = 0;
    std::uint64_t bytes_in = 0;

    // Inside games: while every pair of bots was between the first turn of a game and the last move
    // of its script, with the server's processor time then.
    std::uint64_t inside_turns = 0;
    double inside_seconds = 0;
    double inside_server_cpu_us = 0;

    // The server's memory at the end of that, in KiB.
    std::uint64_t server_kib = 0;

    // Between games: from a pair's last turn of one game to its first of the next.
    std::uint64_t pauses = 0;
    double pause_seconds = 0;

    // Of bots that think: from the moment before a bot hands over its answer to the arrival of the
    // next turn in this process, in us.
    std::vector<std::uint32_t> delays_us;
};

struct Manner {
    Game game = Game::walls;
    std::chrono::milliseconds thinks{0};  // before each answer; 0: it answers at once
};

// Connects `count` bots named b0, b1, ... : one read and one write a turn, no tree of JSON; each
// real message is looked at. Of a game of two, b0 plays b1, b2 plays b3 and so on.
// `server_process` is whose processor time is asked for. Returns when every connection has ended.
Tally play_instant_bots(const boost::asio::ip::tcp::endpoint& server, std::size_t count,
                        int server_process, Manner manner = {});

}  // namespace bench
