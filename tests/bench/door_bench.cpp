// A crowd that comes through the door and then waits: connections accepted a second, logins a
// second, and what an idle bot costs the referee in memory and processor time.
//
//   door_bench REFEREE [--json] [bots]
//
// The tournament waits for a bot that never comes. Bots come and log in by some hundred, as a login
// must come in time; a connection counts as accepted when its `hello` is here, a login when its
// `welcome` is. Beside them stands the rate at which a bare listener of Asio accepts and greets the
// same crowd.

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/server_process.h"

namespace {

using boost::asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t bots_usually = 19'900;
// The referee lets no more than half of its descriptors be connections, and needs some others.
constexpr std::size_t descriptors_a_bot = 3;
constexpr std::size_t at_once = 256;  // connections that are on their way
constexpr std::size_t come_in_together = 256;
constexpr auto idle_for = std::chrono::seconds(10);
constexpr int status_no_connection = 3;

// One connection, as far as it has come.
struct Guest {
    int socket = -1;
    std::string line;  // what has come of the line that is awaited
};

class Crowd {
 public:
    Crowd(std::uint16_t port, std::size_t count) : guests_(count), poll_(::epoll_create1(0)) {
        address_.sin_family = AF_INET;
        address_.sin_port = htons(port);
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }
    ~Crowd() {
        for (const auto& guest : guests_)
            if (guest.socket >= 0) ::close(guest.socket);
        ::close(poll_);
    }
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    // Connects all, and logs them in where that is asked.
    void come_in(bool with_logins = true) {
        for (std::size_t first = 0; first < guests_.size(); first += come_in_together) {
            const auto last = std::min(first + come_in_together, guests_.size());
            connecting_ += time_of(
                {first, last}, [this](std::size_t i) { begin(i); }, "\"hello\"");
            if (!with_logins) continue;
            logging_in_ += time_of(
                {first, last},
                [this](std::size_t i) {
                    say(i, R"({"type":"login","name":"b)" + std::to_string(i) +
                               R"(","games":["walls"]})" + "\n");
                },
                "\"welcome\"");
        }
    }
    double connections_a_second() const { return rate(connecting_); }
    double logins_a_second() const { return rate(logging_in_); }

 private:
    using Seconds = std::chrono::duration<double>;
    struct Part {
        std::size_t first;
        std::size_t last;  // not one of them
    };

    double rate(Seconds time) const { return static_cast<double>(guests_.size()) / time.count(); }
    template <typename Begin>
    Seconds time_of(Part part, Begin begin, const char* awaited) {
        const auto began = Clock::now();
        auto begun = part.first;
        auto over = part.first;
        std::array<epoll_event, at_once> events{};
        while (over < part.last) {
            for (; begun < part.last && begun - over < at_once; ++begun) begin(begun);
            const int ready = ::epoll_wait(poll_, events.data(), events.size(), -1);
            for (int i = 0; i < ready; ++i)
                over += heard(events[static_cast<std::size_t>(i)].data.u64, awaited);
        }
        return Clock::now() - began;
    }
    void begin(std::size_t i) {
        auto& guest = guests_[i];
        guest.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        const auto* address = reinterpret_cast<const sockaddr*>(&address_);
        if (guest.socket < 0 ||
            (::connect(guest.socket, address, sizeof address_) != 0 && errno != EINPROGRESS))
            give_up("connection", i);
        epoll_event event{EPOLLIN, {}};
        event.data.u64 = i;
        ::epoll_ctl(poll_, EPOLL_CTL_ADD, guest.socket, &event);
    }
    void say(std::size_t i, const std::string& line) {
        if (::send(guests_[i].socket, line.data(), line.size(), MSG_NOSIGNAL) < 0)
            give_up("login", i);
    }
    // Whether the awaited line is there now.
    bool heard(std::size_t i, const char* awaited) {
        std::array<char, 4096> chunk{};
        auto& guest = guests_[i];
        const auto bytes = ::recv(guest.socket, chunk.data(), chunk.size(), 0);
        if (bytes < 0 && (errno == EAGAIN || errno == EINTR)) return false;
        if (bytes <= 0) give_up("answer", i);
        guest.line.append(chunk.data(), static_cast<std::size_t>(bytes));
        const auto end = guest.line.find('\n');
        if (end == std::string::npos) return false;
        const bool found = guest.line.substr(0, end).find(awaited) != std::string::npos;
        if (!found) give_up(guest.line.c_str(), i);
        guest.line.erase(0, end + 1);
        return true;
    }
    [[noreturn]] static void give_up(const char* what, std::size_t i) {
        std::fprintf(stderr, "door_bench: no %s of bot %zu: %s\n", what, i, std::strerror(errno));
        std::exit(status_no_connection);
    }

    std::vector<Guest> guests_;
    Seconds connecting_{};
    Seconds logging_in_{};
    int poll_;
    sockaddr_in address_{};
};

std::string config_text(std::size_t bots, std::uint16_t port) {
    std::string text =
        "{\"listen\":{\"port\":" + std::to_string(port) +
        "},\"connections\":{\"total\":100000,\"per_address\":100000},\"join_within\":\"1h\","
        "\"bots\":[{\"name\":\"absent\"}";
    for (std::size_t i = 0; i < bots; ++i) text += ",{\"name\":\"b" + std::to_string(i) + "\"}";
    return text +
           "],\"tournaments\":[{\"id\":\"t\",\"game\":\"walls\",\"format\":{\"kind\":\"swiss\"}}]}";
}

// The yardstick: a listener that greets.
double bare_rate(std::size_t bots) {
    boost::asio::io_context loop(1);
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const auto port = acceptor.local_endpoint().port();
    const auto child = fork();
    if (child == 0) {
        loop.notify_fork(boost::asio::io_context::fork_child);
        boost::asio::co_spawn(
            loop,
            [&]() -> boost::asio::awaitable<void> {
                const std::string hello = "{\"type\":\"hello\"}\n";
                std::vector<tcp::socket> guests;
                while (true) {
                    guests.push_back(co_await acceptor.async_accept(boost::asio::use_awaitable));
                    co_await boost::asio::async_write(guests.back(), boost::asio::buffer(hello),
                                                      boost::asio::use_awaitable);
                }
            },
            boost::asio::detached);
        loop.run();
        _exit(0);
    }
    loop.notify_fork(boost::asio::io_context::fork_parent);
    acceptor.close();
    Crowd crowd(port, bots);
    crowd.come_in(false);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return crowd.connections_a_second();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: door_bench REFEREE [--json] [bots]\n");
        return 2;
    }
    const bool json = argc > 2 && std::string(argv[2]) == "--json";
    const auto last = static_cast<std::size_t>(json ? 3 : 2);
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    const auto bots = static_cast<std::size_t>(argc) > last
                          ? std::strtoul(argv[last], nullptr, 10)
                          : std::min(bots_usually, files.rlim_max / descriptors_a_bot);

    const double bare = bare_rate(bots);
    const auto port = bench::free_port();
    bench::ServerProcess server("door_bench", argv[1], "serve", config_text(bots, port), port);
    const auto kib_before = server.kib();
    Crowd crowd(port, bots);
    crowd.come_in();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const auto kib = static_cast<double>(server.kib() - kib_before) / static_cast<double>(bots);
    const double cpu_before = server.cpu_us();
    std::this_thread::sleep_for(idle_for);
    const double idle_share = (server.cpu_us() - cpu_before) /
                              std::chrono::duration<double, std::micro>(idle_for).count();
    std::printf(json ? "{\"bots\":%zu,\"accepted_a_second\":%.0f,\"raw_accepted_a_second\":%.0f,"
                       "\"logged_in_a_second\":%.0f,\"kib_a_bot\":%.2f,\"idle_cpu\":%.5f}\n"
                     : "%zu bots: %.0f accepted a second (a bare listener %.0f), %.0f logins a "
                       "second; idle: %.2f KiB a bot, %.5f of a core\n",
                bots, crowd.connections_a_second(), bare, crowd.logins_a_second(), kib, idle_share);
    return 0;
}
