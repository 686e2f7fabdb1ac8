#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <string>

#include "tests/bench/raw_ping_pong.h"

// One pair of the yardstick, over any stream: no protocol, no clock, no game.

namespace bench {

// A line that the instant bots take for a turn, of so many bytes with its line feed.
inline std::string turn_line(std::size_t bytes) {
    const std::string head = R"({"type":"turn","game_id":"yardstick/1.1","turn":1,"state":")";
    const std::string tail = "\"}\n";
    const auto fill = bytes > head.size() + tail.size() ? bytes - head.size() - tail.size() : 0;
    return head + std::string(fill, '.') + tail;
}

template <typename Socket>
boost::asio::awaitable<bool> read_line(Socket& socket, std::string& chunk) {
    while (true) {
        const auto [error, bytes] = co_await socket.async_read_some(
            boost::asio::buffer(chunk), boost::asio::as_tuple(boost::asio::use_awaitable));
        if (error) co_return false;
        if (chunk[bytes - 1] == '\n') co_return true;
    }
}

template <typename Socket>
boost::asio::awaitable<bool> ask(Socket& socket, const std::string& line, std::string& chunk) {
    co_await boost::asio::async_write(socket, boost::asio::buffer(line),
                                      boost::asio::use_awaitable);
    co_return co_await read_line(socket, chunk);
}

// `line` outlives it.
template <typename Socket>
boost::asio::awaitable<void> serve_pair(Socket a, Socket b, const std::string& line,
                                        RawGames games) {
    const std::string hello = "{\"type\":\"hello\"}\n";
    const std::string start = "{\"type\":\"start\",\"game_id\":\"yardstick/1.1\",\"seat\":0}\n";
    constexpr std::size_t chunk_bytes = 4096;
    std::string chunk(chunk_bytes, '\0');
    for (auto* socket : {&a, &b}) {
        if (!co_await ask(*socket, hello, chunk)) co_return;
    }
    for (std::uint64_t game = 0; game < games.games; ++game) {
        if (!co_await ask(a, start, chunk) || !co_await ask(b, start, chunk)) co_return;
        for (std::uint64_t turn = 0; turn < games.turns; ++turn) {
            if (!co_await ask(turn % 2 == 0 ? a : b, line, chunk)) co_return;
        }
    }
}

}  // namespace bench
