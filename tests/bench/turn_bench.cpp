// Turns a second through the whole referee, beside a raw ping-pong of the same bytes in the same
// run: prints a table of ratios, and the same as JSON lines with --json.
//
//   turn_bench REFEREE [--json] [bots ...]

#include <sys/resource.h>
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

struct Measured {
    bench::Tally tally;
    double cpu_us_per_turn = 0;
    double seconds = 0;
};

std::string config_text(std::size_t bots, std::uint16_t port) {
    std::string text = "{\"listen\":{\"port\":" + std::to_string(port) +
                       "},\"connections\":{\"total\":100000,\"per_address\":100000},\"games_at_once\":100000,\"bots\":[";
    for (std::size_t i = 0; i < bots; ++i) text += (i == 0 ? "" : ",") + std::string("{\"name\":\"b") + std::to_string(i) + "\"}";
    text += "],\"tournaments\":[";
    for (std::size_t i = 0; i + 1 < bots; i += 2) {
        text += (i == 0 ? "" : ",") + std::string("{\"id\":\"t") + std::to_string(i) + "\",\"game\":\"walls\",\"params\":{\"size\":" +
                std::to_string(bench::board_size) + "},\"match\":{\"games\":1},\"clock\":{\"budget\":\"10s\"},\"bots\":[\"b" +
                std::to_string(i) + "\",\"b" + std::to_string(i + 1) + "\"]}";
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

Measured through_referee(const std::string& referee, std::size_t bots) {
    const auto folder = std::filesystem::temp_directory_path() / ("turn_bench_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto port = free_port();
    const auto config = (folder / "config.json").string();
    std::ofstream(config) << config_text(bots, port);
    const auto out = (folder / "out").string();
    const auto child = fork();
    if (child == 0) {
        execl(referee.c_str(), referee.c_str(), "run", config.c_str(), "--out", out.c_str(), "--quiet", nullptr);
        std::perror(referee.c_str());
        _exit(127);
    }
    const tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), port);
    while (!listens(endpoint)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    Measured measured;
    measured.tally = bench::play_instant_bots(endpoint, bots);
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    const auto us = [](const timeval& time) { return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec); };
    measured.cpu_us_per_turn = (us(usage.ru_utime) + us(usage.ru_stime)) / static_cast<double>(measured.tally.turns);
    measured.seconds = std::chrono::duration<double>(measured.tally.last_turn - measured.tally.first_turn).count();
    std::filesystem::remove_all(folder);
    if (status != 0) std::fprintf(stderr, "turn_bench: the referee ended with status %d\n", status);
    return measured;
}

void report(const std::string& referee, std::size_t bots, bool json) {
    const auto whole = through_referee(referee, bots);
    const auto turns_per_pair = whole.tally.turns / (bots / 2);
    const auto turn_bytes = whole.tally.bytes_in / std::max<std::uint64_t>(whole.tally.turns, 1);
    const auto raw = bench::raw_ping_pong(bots, turn_bytes, turns_per_pair);
    const double whole_rate = static_cast<double>(whole.tally.turns) / whole.seconds;
    const double raw_rate = static_cast<double>(raw.turns) / raw.seconds;
    if (json) {
        std::printf("{\"bots\":%zu,\"turn_bytes\":%lu,\"turns_per_game\":%lu,\"turns_a_second\":%.0f,\"raw_turns_a_second\":%.0f,"
                    "\"ratio\":%.3f,\"cpu_us_a_turn\":%.2f,\"raw_cpu_us_a_turn\":%.2f}\n",
                    bots, static_cast<unsigned long>(turn_bytes), static_cast<unsigned long>(turns_per_pair), whole_rate, raw_rate,
                    whole_rate / raw_rate, whole.cpu_us_per_turn, raw.server_cpu_us_per_turn);
    } else {
        std::printf("%6zu %10lu %10lu %14.0f %14.0f %7.2f %12.2f %12.2f\n", bots, static_cast<unsigned long>(turn_bytes),
                    static_cast<unsigned long>(turns_per_pair), whole_rate, raw_rate, whole_rate / raw_rate, whole.cpu_us_per_turn,
                    raw.server_cpu_us_per_turn);
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: turn_bench REFEREE [--json] [bots ...]\n");
        return 2;
    }
    bool json = false;
    std::vector<std::size_t> sizes;
    for (int i = 2; i < argc; ++i) {
        if (std::string(argv[i]) == "--json") {
            json = true;
        } else {
            sizes.push_back(std::strtoul(argv[i], nullptr, 10));
        }
    }
    if (sizes.empty()) sizes = {2, 64, 1024};
    if (!json) {
        std::printf("%6s %10s %10s %14s %14s %7s %12s %12s\n", "bots", "bytes/turn", "turns/game", "turns/s", "raw turns/s", "ratio",
                    "cpu us/turn", "raw cpu");
    }
    for (const auto bots : sizes) report(argv[1], bots, json);
    return 0;
}
