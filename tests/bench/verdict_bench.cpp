// How true the verdicts on time are: a referee's whole process, many games at once over TCP, and
// bots that think from 45 to 55 ms of a budget of 50 ms. Each bot knows how long it thought: from
// the kernel's stamp of the turn's arrival to the moment before its answer was handed over. The
// referee tells its verdict on a turn with the next turn (`last`), and both are compared:
//
//   false late   judged late, though even the moment after the answer was handed over is in time
//   false pass   judged in time, though even the moment before it was handed over is too late
//
// Both ends are on one machine, so there is no path to allow for.
//
//   verdict_bench REFEREE [--games N] [--games-each N] [--pings] [--seconds N] [--load N]
//
// --games-each: so many of the games are played on one connection. --pings: each answer is followed
// by a ping, some milliseconds later. --load: so many processes keep the machine's cores busy.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/member.h"
#include "tests/bench/server_process.h"

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using bench::member;
using namespace std::chrono_literals;
using Time = std::chrono::nanoseconds;  // of the wall clock, since the epoch

constexpr Time budget = 50ms;
constexpr Time thinks_least = 45ms;
constexpr Time thinks_most = 55ms;
constexpr Time ping_after = 14ms;
// The verdict on a turn that is this near to the budget depends on what lies between two system
// calls of the bot: such turns are told apart.
constexpr Time clear_by = 200us;

struct Options {
    std::string referee;
    std::size_t games = 100;
    std::size_t games_each = 1;
    bool pings = false;
    int seconds = 20;
    int load = 0;
};

struct Tally {
    std::uint64_t turns = 0, late = 0;
    std::uint64_t in_time = 0, over = 0;  // by the bots' own clocks
    std::uint64_t false_late = 0, false_pass = 0, false_pass_clear = 0;
    std::vector<double> errors_ms;  // what was charged, less what was thought
};

Time wall_clock() {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return std::chrono::seconds(now.tv_sec) + Time(now.tv_nsec);
}

// One connection, with one game on it or several.
class Bot {
 public:
    Bot(asio::io_context& loop, std::string name, bool pings, Tally& tally)
        : loop_(loop),
          socket_(loop),
          name_(std::move(name)),
          pings_(pings),
          tally_(tally),
          random_(std::hash<std::string>()(name_)) {}

    asio::awaitable<void> run(tcp::endpoint server) try {
        co_await socket_.async_connect(server, asio::use_awaitable);
        socket_.set_option(tcp::no_delay(true));
        const int on = 1;
        setsockopt(socket_.native_handle(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
        socket_.native_non_blocking(true);
        while (true) {
            co_await socket_.async_wait(tcp::socket::wait_read, asio::use_awaitable);
            if (!read()) co_return;
        }
    } catch (const boost::system::system_error&) {  // the end
    }

 private:
    struct Thought {
        std::int64_t turn = 0;
        Time least{}, most{};
    };
    struct Game {
        Thought last;
    };

    bool read() {
        std::array<char, 16384> chunk;
        alignas(cmsghdr) std::array<char, 128> control;
        iovec piece{chunk.data(), chunk.size()};
        msghdr message{};
        message.msg_iov = &piece;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const auto bytes = recvmsg(socket_.native_handle(), &message, MSG_DONTWAIT);
        if (bytes < 0) return errno == EAGAIN;
        if (bytes == 0) return false;
        auto arrived = wall_clock();
        for (auto* header = CMSG_FIRSTHDR(&message); header != nullptr;
             header = CMSG_NXTHDR(&message, header)) {
            if (header->cmsg_type != SCM_TIMESTAMPNS) continue;
            timespec stamp{};
            std::memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
            arrived = std::chrono::seconds(stamp.tv_sec) + Time(stamp.tv_nsec);
        }
        in_.append(chunk.data(), static_cast<std::size_t>(bytes));
        const bool one_line = std::count(in_.begin(), in_.end(), '\n') == 1;
        for (auto end = in_.find('\n'); end != std::string::npos; end = in_.find('\n')) {
            handle(std::string_view(in_).substr(0, end), arrived, one_line);
            in_.erase(0, end + 1);
        }
        return true;
    }

    void handle(std::string_view line, Time arrived, bool exact) {
        const auto type = member(line, "\"type\":");
        if (type == "hello") {
            say(R"({"type":"login","name":")" + name_ + R"(","games":["walls"]})");
        } else if (type == "start") {
            games_[std::string(member(line, "\"game_id\":"))] = {};
            say(R"({"type":"ready","game_id":")" + std::string(member(line, "\"game_id\":")) +
                "\"}");
        } else if (type == "end") {
            games_.erase(std::string(member(line, "\"game_id\":")));
        } else if (type == "turn") {
            const std::string id(member(line, "\"game_id\":"));
            compare(games_[id], line);
            const auto turn =
                std::strtoll(std::string(member(line, "\"turn\":")).c_str(), nullptr, 10);
            think(id, turn, arrived, exact);
        }
    }

    // Several turns that were read at once have one stamp, which is true of the last alone: then
    // nothing is compared.
    void think(const std::string& id, std::int64_t turn, Time arrived, bool exact) {
        const Time thinks(std::uniform_int_distribution<std::int64_t>(
            thinks_least.count(), thinks_most.count())(random_));
        auto timer = std::make_shared<asio::steady_timer>(
            loop_, std::max(arrived + thinks - wall_clock(), Time::zero()));
        timer->async_wait([this, timer, id, turn, arrived, exact](auto) {
            const auto found = games_.find(id);
            if (found == games_.end()) return;
            const auto before = wall_clock();
            say(R"({"type":"move","game_id":")" + id + R"(","turn":)" + std::to_string(turn) +
                R"(,"move":"L"})");
            const auto after = wall_clock();
            found->second.last = {exact ? turn : 0, before - arrived, after - arrived};
            if (pings_) ping();
        });
    }

    void ping() {
        auto timer = std::make_shared<asio::steady_timer>(loop_, ping_after);
        timer->async_wait([this, timer](auto) { say(R"({"type":"ping","id":1})"); });
    }

    void compare(const Game& game, std::string_view line) {
        const auto at = line.find("\"last\":");
        if (at == std::string_view::npos || game.last.turn == 0) return;
        const auto last = line.substr(at);
        if (std::strtoll(std::string(member(last, "\"turn\":")).c_str(), nullptr, 10) !=
            game.last.turn)
            return;
        const bool late = member(last, "\"late\":") == "true";
        const Time charged =
            1us * std::strtoll(std::string(member(last, "\"charged_us\":")).c_str(), nullptr, 10);
        ++tally_.turns;
        tally_.late += late;
        tally_.in_time += game.last.most <= budget;
        tally_.over += game.last.least > budget;
        tally_.false_late += late && game.last.most <= budget;
        tally_.false_pass += !late && game.last.least > budget;
        tally_.false_pass_clear += !late && game.last.least > budget + clear_by;
        if (!late)
            tally_.errors_ms.push_back(
                std::chrono::duration<double, std::milli>(charged - game.last.most).count());
    }

    void say(const std::string& line) {
        const auto text = line + "\n";
        static_cast<void>(
            ::send(socket_.native_handle(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
    }

    asio::io_context& loop_;
    tcp::socket socket_;
    std::string name_;
    bool pings_;
    Tally& tally_;
    std::mt19937_64 random_;
    std::string in_;
    std::map<std::string, Game> games_;
};

// Game i is played by the two bots of group i / games_each.
std::string tournaments_text(const Options& options) {
    std::string text;
    for (std::size_t i = 0; i < options.games; ++i) {
        const auto group = i / options.games_each;
        text += (i == 0 ? "" : ",") + std::string("{\"id\":\"t") + std::to_string(i) +
                "\",\"game\":\"walls\",\"params\":{\"size\":5},\"match\":{\"games\":1000},"
                "\"withdraw_after\":0,\"clock\":{\"budget\":\"50ms\"},\"bots\":[\"b" +
                std::to_string(2 * group) + "\",\"b" + std::to_string(2 * group + 1) + "\"]}";
    }
    return text;
}

pid_t busy_process() {
    const auto child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (true) clock();
}

Tally play(const Options& options) {
    const auto groups = (options.games + options.games_each - 1) / options.games_each;
    const auto port = bench::free_port();
    const bench::ServerProcess server(
        "verdict_bench", options.referee, "run",
        bench::crowd_config(2 * groups, tournaments_text(options), port), port);
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    std::vector<pid_t> busy;
    for (int i = 0; i < options.load; ++i) busy.push_back(busy_process());
    asio::io_context loop(1);
    Tally tally;
    std::vector<std::unique_ptr<Bot>> bots;
    for (std::size_t i = 0; i < 2 * groups; ++i) {
        bots.push_back(std::make_unique<Bot>(loop, "b" + std::to_string(i), options.pings, tally));
        asio::co_spawn(loop, bots.back()->run(endpoint), asio::detached);
    }
    loop.run_for(std::chrono::seconds(options.seconds));
    for (const auto process : busy) kill(process, SIGKILL);
    for (const auto process : busy) waitpid(process, nullptr, 0);
    return tally;
}

double percentile(std::vector<double>& sorted, std::size_t percent) {
    return sorted.empty() ? 0 : sorted[(sorted.size() - 1) * percent / 100];
}

void report(const Options& options, Tally& tally) {
    std::sort(tally.errors_ms.begin(), tally.errors_ms.end());
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("%zu games, %zu on a connection%s, %d busy processes, %d s\n", options.games,
                options.games_each, options.pings ? ", with pings" : "", options.load,
                options.seconds);
    std::printf("turns compared        %10llu\n", number(tally.turns));
    std::printf("in time, called late  %10llu of %llu\n", number(tally.false_late),
                number(tally.in_time));
    std::printf(
        "too late, let pass    %10llu of %llu (%.3f%%), %llu of them by more than %.1f ms\n",
        number(tally.false_pass), number(tally.over),
        tally.over == 0
            ? 0
            : 100 * static_cast<double>(tally.false_pass) / static_cast<double>(tally.over),
        number(tally.false_pass_clear),
        std::chrono::duration<double, std::milli>(clear_by).count());
    std::printf(
        "charged less thought  %10.3f ms in the middle, %.3f to %.3f in 98 of 100, %.3f to "
        "%.3f in all\n",
        percentile(tally.errors_ms, 50), percentile(tally.errors_ms, 1),
        percentile(tally.errors_ms, 99), percentile(tally.errors_ms, 0),
        percentile(tally.errors_ms, 100));
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&] { return i + 1 < argc ? std::atoi(argv[++i]) : 0; };
        if (word == "--games") {
            options.games = static_cast<std::size_t>(value());
        } else if (word == "--games-each") {
            options.games_each = static_cast<std::size_t>(value());
        } else if (word == "--pings") {
            options.pings = true;
        } else if (word == "--seconds") {
            options.seconds = value();
        } else if (word == "--load") {
            options.load = value();
        } else {
            options.referee = word;
        }
    }
    if (options.referee.empty() || options.games == 0 || options.games_each == 0) {
        std::fprintf(stderr,
                     "usage: verdict_bench REFEREE [--games N] [--games-each N] [--pings] "
                     "[--seconds N] [--load N]\n");
        return 2;
    }
    auto tally = play(options);
    report(options, tally);
    return tally.turns == 0 ? 1 : 0;
}
