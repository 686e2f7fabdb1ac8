#include "tests/bench/raw_ping_pong.h"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <string>

#include "tests/bench/raw_pair.h"

namespace bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

asio::awaitable<void> accept_pairs(tcp::acceptor& acceptor, std::size_t pairs,
                                   const std::string& line, RawGames games) {
    for (std::size_t i = 0; i < pairs; ++i) {
        auto a = co_await acceptor.async_accept(asio::use_awaitable);
        auto b = co_await acceptor.async_accept(asio::use_awaitable);
        for (auto* socket : {&a, &b}) socket->set_option(tcp::no_delay(true));
        asio::co_spawn(acceptor.get_executor(), serve_pair(std::move(a), std::move(b), line, games),
                       asio::detached);
    }
}

}  // namespace

Tally raw_ping_pong(std::size_t connections, std::size_t turn_bytes, RawGames games,
                    std::chrono::milliseconds thinks) {
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
    const auto tally = play_instant_bots(endpoint, connections, child, {.thinks = thinks});
    waitpid(child, nullptr, 0);
    return tally;
}

}  // namespace bench
