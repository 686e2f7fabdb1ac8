#include "tests/bench/raw_ping_pong.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <cstdio>
#include <cstdlib>

#include "tests/bench/instant_bots.h"

namespace bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::size_t chunk_bytes = 4096;

// A line that the instant bots take for a turn, of so many bytes with its line feed.
std::string turn_line(std::size_t bytes) {
    const std::string head = R"({"type":"turn","game_id":"yardstick/1.1","turn":1,"state":")";
    const std::string tail = "\"}\n";
    const auto fill = bytes > head.size() + tail.size() ? bytes - head.size() - tail.size() : 0;
    return head + std::string(fill, '.') + tail;
}

asio::awaitable<bool> read_line(tcp::socket& socket, std::string& chunk) {
    while (true) {
        const auto [error, bytes] = co_await socket.async_read_some(
            asio::buffer(chunk), asio::as_tuple(asio::use_awaitable));
        if (error) co_return false;
        if (chunk[bytes - 1] == '\n') co_return true;
    }
}

asio::awaitable<bool> ask(tcp::socket& socket, const std::string& line, std::string& chunk) {
    co_await asio::async_write(socket, asio::buffer(line), asio::use_awaitable);
    co_return co_await read_line(socket, chunk);
}

asio::awaitable<void> serve_pair(tcp::socket a, tcp::socket b, const std::string& line,
                                 RawGames games) {
    const std::string hello = "{\"type\":\"hello\"}\n";
    const std::string start = "{\"type\":\"start\",\"game_id\":\"yardstick/1.1\",\"seat\":0}\n";
    std::string chunk(chunk_bytes, '\0');
    for (auto* socket : {&a, &b}) {
        socket->set_option(tcp::no_delay(true));
        if (!co_await ask(*socket, hello, chunk)) co_return;
    }
    for (std::uint64_t game = 0; game < games.games; ++game) {
        if (!co_await ask(a, start, chunk) || !co_await ask(b, start, chunk)) co_return;
        for (std::uint64_t turn = 0; turn < games.turns; ++turn) {
            if (!co_await ask(turn % 2 == 0 ? a : b, line, chunk)) co_return;
        }
    }
}

asio::awaitable<void> accept_pairs(tcp::acceptor& acceptor, std::size_t pairs,
                                   const std::string& line, RawGames games) {
    for (std::size_t i = 0; i < pairs; ++i) {
        auto a = co_await acceptor.async_accept(asio::use_awaitable);
        auto b = co_await acceptor.async_accept(asio::use_awaitable);
        asio::co_spawn(acceptor.get_executor(), serve_pair(std::move(a), std::move(b), line, games),
                       asio::detached);
    }
}

}  // namespace

Tally raw_ping_pong(std::size_t connections, std::size_t turn_bytes, RawGames games) {
    asio::io_context loop(1);
    tcp::acceptor acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    const auto endpoint = acceptor.local_endpoint();
    const auto child = fork();
    if (child == 0) {
        loop.notify_fork(asio::io_context::fork_child);
        const auto line = turn_line(turn_bytes);
        asio::co_spawn(loop, accept_pairs(acceptor, connections / 2, line, games), asio::detached);
        loop.run();
        _exit(0);
    }
    loop.notify_fork(asio::io_context::fork_parent);
    acceptor.close();
    const auto tally = play_instant_bots(endpoint, connections, child);
    waitpid(child, nullptr, 0);
    return tally;
}

}  // namespace bench
