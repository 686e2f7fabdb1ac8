// The yardstick of launched bots: the raw ping-pong of the same bytes with processes that it
// starts, over the same kind of socket. Prints a line of JSON.
//
//   launched_ping_pong PAIRS TURN_BYTES TURNS -- COMMAND

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/bench/raw_pair.h"

namespace {

using Socket = boost::asio::local::stream_protocol::socket;

constexpr int status_not_found = 127;
constexpr int words_before_command = 5;

Socket launch(boost::asio::io_context& loop, char** command) {
    Socket ours(loop);
    Socket theirs(loop);
    boost::asio::local::connect_pair(ours, theirs);
    // No bot holds another one's end, so each sees the end of its own.
    for (const int end : {ours.native_handle(), theirs.native_handle()})
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
    if (fork() == 0) {
        ::dup2(theirs.native_handle(), STDIN_FILENO);
        ::dup2(theirs.native_handle(), STDOUT_FILENO);
        ::execvp(command[0], command);
        std::perror(command[0]);
        ::_exit(status_not_found);
    }
    return ours;
}

double own_cpu_us() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc <= words_before_command) {
        std::fprintf(stderr, "usage: launched_ping_pong PAIRS TURN_BYTES TURNS -- COMMAND\n");
        return 2;
    }
    const auto pairs = std::strtoul(argv[1], nullptr, 10);
    const auto line = bench::turn_line(std::strtoul(argv[2], nullptr, 10));
    const auto turns = std::strtoul(argv[3], nullptr, 10);
    boost::asio::io_context loop(1);
    for (std::size_t i = 0; i < pairs; ++i) {
        auto a = launch(loop, argv + words_before_command);
        auto b = launch(loop, argv + words_before_command);
        boost::asio::co_spawn(loop, bench::serve_pair(std::move(a), std::move(b), line, {1, turns}),
                              boost::asio::detached);
    }
    const auto began = std::chrono::steady_clock::now();
    loop.run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    while (::wait(nullptr) > 0) {
    }
    const auto all = static_cast<double>(pairs * turns);
    std::printf("{\"turns_a_second\":%.0f,\"cpu_us_a_turn\":%.2f}\n", all / took.count(),
                own_cpu_us() / all);
    return 0;
}
