// The yardstick of launched bots: the raw ping-pong of the same bytes with processes that it
// starts, over what the launcher gives a bot: a pipe in, a connection out. Prints a line of JSON.
//
//   launched_ping_pong PAIRS TURN_BYTES TURNS -- COMMAND

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "referee/launch/process/launch_parts.h"
#include "tests/bench/raw_pair.h"

namespace bench {

// Our ends of a bot's standard input and output.
struct BotStream {
    using executor_type = boost::asio::any_io_executor;
    executor_type get_executor() { return output.get_executor(); }
    template <typename... Call>
    auto async_write_some(Call&&... call) {
        return input.async_write_some(std::forward<Call>(call)...);
    }
    template <typename... Call>
    auto async_read_some(Call&&... call) {
        return output.async_read_some(std::forward<Call>(call)...);
    }

    boost::asio::posix::stream_descriptor input;
    boost::asio::ip::tcp::socket output;
};

}  // namespace bench

namespace {

namespace asio = boost::asio;

constexpr int status_not_found = 127;
constexpr int words_before_command = 5;

// No bot holds another one's end, so each sees the end of its own.
bench::BotStream launch(asio::io_context& loop, char** command) {
    std::array<int, 2> input{};
    auto output = referee::process::make_output_socket();
    if (::pipe2(input.data(), O_CLOEXEC) != 0 || !output) {
        std::fprintf(stderr, "a bot's standard streams can't be made\n");
        std::exit(1);
    }
    if (fork() == 0) {
        ::dup2(input[0], STDIN_FILENO);
        ::dup2(output->bots.get(), STDOUT_FILENO);
        ::execvp(command[0], command);
        std::perror(command[0]);
        ::_exit(status_not_found);
    }
    ::close(input[0]);
    return {asio::posix::stream_descriptor(loop, input[1]),
            asio::ip::tcp::socket(loop, asio::ip::tcp::v4(), output->ours.release())};
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
    asio::io_context loop(1);
    for (std::size_t i = 0; i < pairs; ++i) {
        auto a = launch(loop, argv + words_before_command);
        auto b = launch(loop, argv + words_before_command);
        asio::co_spawn(loop, bench::serve_pair(std::move(a), std::move(b), line, {1, turns}),
                       asio::detached);
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
