// Turns a second through the whole referee, beside a raw ping-pong of the same bytes in the same
// run: prints a table of ratios, and the same as JSON lines with --json. Turns, processor time and
// ratio are those inside games; what lies between two games of a pair (the result recorded on disk,
// the files, the next start) is told apart, and the referee's start and end are in neither.
//
//   turn_bench REFEREE [--json] [--tls] [bots ...]
//
// With --tls the bots play over plain TCP and over TLS by turns, in one run, and what is printed is
// what TLS costs the referee: its processor time a turn, which holds one record to be decrypted and
// one to be encrypted.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/instant_bots.h"
#include "tests/bench/raw_ping_pong.h"

namespace {

using boost::asio::ip::tcp;

// Turns that a run has at least, over all games: about a second of play or more.
constexpr std::uint64_t turns_min = 60'000;
// About what a game has on this board; the games that are played are counted.
constexpr std::uint64_t turns_a_game = 1238;
// The machine may be busy with other things. So the referee and the yardstick are run by turns, so
// many times each, and the run in the middle counts. A large crowd needs only one run, because that
// takes long enough.
constexpr std::size_t rounds = 3;
constexpr std::size_t bots_of_one_round = 512;
// The machine's trouble, as the referee's own statuses have it; and what a shell gives where a
// program is missing.
constexpr int status_no_referee = 3;
constexpr int status_not_found = 127;

// One run, as it is told.
struct Measured {
    bench::Tally tally;
    double rate() const { return static_cast<double>(tally.inside_turns) / tally.inside_seconds; }
    double cpu_us() const {
        return tally.inside_server_cpu_us / static_cast<double>(tally.inside_turns);
    }
};

std::uint64_t games_for(std::size_t bots) {
    const auto a_game = turns_a_game * (bots / 2);
    return (turns_min + a_game - 1) / a_game;
}

// Where the referee listens; `tls` is 0 where it doesn't.
struct Ports {
    std::uint16_t plain = 0;
    std::uint16_t tls = 0;
};

std::string config_text(std::size_t bots, std::uint64_t games, Ports ports) {
    std::string text = "{\"listen\":{\"port\":" + std::to_string(ports.plain);
    if (ports.tls != 0) text += ",\"tls\":{\"port\":" + std::to_string(ports.tls) + "}";
    text +=
        "},\"connections\":{\"total\":100000,\"per_address\":100000},\"games_at_"
        "once\":100000,\"bots\":[";
    for (std::size_t i = 0; i < bots; ++i)
        text += (i == 0 ? "" : ",") + std::string("{\"name\":\"b") + std::to_string(i) + "\"}";
    text += "],\"tournaments\":[";
    for (std::size_t i = 0; i + 1 < bots; i += 2) {
        text += (i == 0 ? "" : ",") + std::string("{\"id\":\"t") + std::to_string(i) +
                "\",\"game\":\"walls\",\"params\":{\"size\":" + std::to_string(bench::board_size) +
                "},\"match\":{\"games\":" + std::to_string(games) +
                "},\"clock\":{\"budget\":\"10s\"},\"bots\":[\"b" + std::to_string(i) + "\",\"b" +
                std::to_string(i + 1) + "\"]}";
    }
    return text + "]}";
}

// A port that was free a moment ago.
std::uint16_t free_port() {
    boost::asio::io_context loop;
    tcp::acceptor acceptor(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    return acceptor.local_endpoint().port();
}

bool listens(const tcp::endpoint& endpoint) {
    boost::asio::io_context loop;
    tcp::socket socket(loop);
    boost::system::error_code error;
    socket.connect(endpoint, error);
    return !error;
}

// Waits until the referee listens. Where it has ended instead, there is nothing to measure: says so
// and ends this program.
void wait_for(pid_t referee, const std::string& program, const tcp::endpoint& endpoint,
              const std::filesystem::path& folder) {
    while (!listens(endpoint)) {
        int status = 0;
        if (waitpid(referee, &status, WNOHANG) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            continue;
        }
        std::filesystem::remove_all(folder);
        const bool exited = WIFEXITED(status);
        std::fprintf(stderr,
                     "turn_bench: %s ended with %s %d before it listened; expected the referee's "
                     "program, such as build/release/bin/referee\n",
                     program.c_str(), exited ? "status" : "signal",
                     exited ? WEXITSTATUS(status) : WTERMSIG(status));
        std::exit(status_no_referee);
    }
}

Measured through_referee(const std::string& referee, std::size_t bots,
                         bench::Link link = bench::Link::tcp) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("turn_bench_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    Ports ports;
    ports.plain = free_port();
    while (link == bench::Link::tls && (ports.tls == 0 || ports.tls == ports.plain))
        ports.tls = free_port();
    const auto config = (folder / "config.json").string();
    std::ofstream(config) << config_text(bots, games_for(bots), ports);
    const auto out = (folder / "out").string();
    const auto child = fork();
    if (child == 0) {
        execl(referee.c_str(), referee.c_str(), "run", config.c_str(), "--out", out.c_str(),
              "--quiet", nullptr);
        std::perror(referee.c_str());
        _exit(status_not_found);
    }
    const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(),
                                 link == bench::Link::tls ? ports.tls : ports.plain);
    wait_for(child, referee, endpoint, folder);
    Measured measured;
    measured.tally = bench::play_instant_bots(endpoint, bots, child, link);
    int status = 0;
    waitpid(child, &status, 0);
    std::filesystem::remove_all(folder);
    if (status != 0) std::fprintf(stderr, "turn_bench: the referee ended with status %d\n", status);
    return measured;
}

double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// The middle of what `of` tells of each.
template <typename Item, typename Of>
double middle_of(const std::vector<Item>& items, Of of) {
    std::vector<double> values;
    for (const auto& item : items) values.push_back(of(item));
    return middle(std::move(values));
}

struct Round {
    Measured whole;
    Measured raw;
};

void report(const std::string& referee, std::size_t bots, bool json) {
    std::vector<Round> played;
    std::uint64_t turn_bytes = 0;
    std::uint64_t turns = 0;
    for (std::size_t i = 0; i < (bots < bots_of_one_round ? rounds : 1); ++i) {
        const auto whole = through_referee(referee, bots);
        turn_bytes = whole.tally.bytes_in / std::max<std::uint64_t>(whole.tally.turns, 1);
        turns = whole.tally.turns / (bots / 2) / games_for(bots);
        played.push_back(
            {whole, {bench::raw_ping_pong(bots, turn_bytes, {games_for(bots), turns})}});
    }
    const auto rate = middle_of(played, [](const Round& round) { return round.whole.rate(); });
    const auto raw_rate = middle_of(played, [](const Round& round) { return round.raw.rate(); });
    const auto ratio =
        middle_of(played, [](const Round& round) { return round.whole.rate() / round.raw.rate(); });
    const auto cpu = middle_of(played, [](const Round& round) { return round.whole.cpu_us(); });
    const auto raw_cpu = middle_of(played, [](const Round& round) { return round.raw.cpu_us(); });
    const auto pause_ms = middle_of(played, [](const Round& round) {
        const auto& tally = round.whole.tally;
        return tally.pauses == 0 ? 0
                                 : 1e3 * tally.pause_seconds / static_cast<double>(tally.pauses);
    });
    std::printf(json ? "{\"bots\":%zu,\"turn_bytes\":%lu,\"turns_per_game\":%lu,\"turns_a_second\":"
                       "%.0f,\"raw_turns_a_second\":%.0f,"
                       "\"ratio\":%.3f,\"cpu_us_a_turn\":%.2f,\"raw_cpu_us_a_turn\":%.2f,\"between_"
                       "games_ms\":%.2f}\n"
                     : "%6zu %10lu %10lu %10.0f %11.0f %7.2f %11.2f %7.2f %16.2f\n",
                bots, static_cast<unsigned long>(turn_bytes), static_cast<unsigned long>(turns),
                rate, raw_rate, ratio, cpu, raw_cpu, pause_ms);
    std::fflush(stdout);
}

// TLS beside plain TCP.
void report_tls(const std::string& referee, std::size_t bots, bool json) {
    struct Pair {
        Measured tcp;
        Measured tls;
    };
    std::vector<Pair> played;
    for (std::size_t i = 0; i < (bots < bots_of_one_round ? rounds : 1); ++i)
        played.push_back({through_referee(referee, bots, bench::Link::tcp),
                          through_referee(referee, bots, bench::Link::tls)});
    const auto rate = middle_of(played, [](const Pair& pair) { return pair.tcp.rate(); });
    const auto tls_rate = middle_of(played, [](const Pair& pair) { return pair.tls.rate(); });
    const auto ratio =
        middle_of(played, [](const Pair& pair) { return pair.tls.rate() / pair.tcp.rate(); });
    const auto cpu = middle_of(played, [](const Pair& pair) { return pair.tcp.cpu_us(); });
    const auto tls_cpu = middle_of(played, [](const Pair& pair) { return pair.tls.cpu_us(); });
    const auto cost =
        middle_of(played, [](const Pair& pair) { return pair.tls.cpu_us() - pair.tcp.cpu_us(); });
    std::printf(json ? "{\"bots\":%zu,\"turns_a_second\":%.0f,\"tls_turns_a_second\":%.0f,"
                       "\"ratio\":%.3f,\"cpu_us_a_turn\":%.2f,\"tls_cpu_us_a_turn\":%.2f,"
                       "\"tls_cost_us_a_turn\":%.2f}\n"
                     : "%6zu %10.0f %11.0f %7.2f %11.2f %11.2f %14.2f\n",
                bots, rate, tls_rate, ratio, cpu, tls_cpu, cost);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: turn_bench REFEREE [--json] [--tls] [bots ...]\n");
        return 2;
    }
    bool json = false;
    bool tls = false;
    std::vector<std::size_t> sizes;
    for (int i = 2; i < argc; ++i) {
        if (std::string(argv[i]) == "--json") {
            json = true;
        } else if (std::string(argv[i]) == "--tls") {
            tls = true;
        } else {
            sizes.push_back(std::strtoul(argv[i], nullptr, 10));
        }
    }
    if (sizes.empty()) sizes = {2, 64, 1024};
    if (tls) {
        if (!json)
            std::printf("%6s %10s %11s %7s %11s %11s %14s\n", "bots", "turns/s", "TLS turns/s",
                        "ratio", "cpu us/turn", "TLS cpu", "cost us/turn");
        for (const auto bots : sizes) report_tls(argv[1], bots, json);
        return 0;
    }
    if (!json) {
        std::printf("%6s %10s %10s %10s %11s %7s %11s %7s %16s\n", "bots", "bytes/turn",
                    "turns/game", "turns/s", "raw turns/s", "ratio", "cpu us/turn", "raw cpu",
                    "between games ms");
    }
    for (const auto bots : sizes) report(argv[1], bots, json);
    return 0;
}
