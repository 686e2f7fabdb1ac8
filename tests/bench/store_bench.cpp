// How many finished games a second a store takes for good, where so many arrive at a time; beside
// it what the disk makes of the same bytes, written and synced as often. At last, how long it takes
// to open the largest store and to read its records.
//
//     store_bench FOLDER REPLAY [GAMES]
//
// REPLAY is a replay that `referee play walls --replay REPLAY` wrote; it is every game's.

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "referee/store/records/record_line.h"
#include "referee/store/store.h"

namespace {

using namespace referee;
using Clock = std::chrono::steady_clock;

constexpr std::size_t games_default = 5000;
// Fewer where each waits for a sync of its own.
constexpr std::size_t waits_max = 500;
constexpr mode_t file_mode = 0600;

records::GameRecord game_of(std::uint64_t match, const std::string& replay) {
    records::GameRecord game;
    auto& result = game.result;
    result.key = {"friday", match, 1, 1};
    result.game = "walls";
    result.params = R"({"size":5,"bricks":20,"first":0})";
    result.bots = {"alice", "bob"};
    result.reason = "alice has reached the other side";
    result.outcome = {{engines::Score::whole(1), engines::Score{}}, {1, 2}, R"({"winner":0})"};
    result.turns = 60;
    result.clock_kind = "turn";
    result.measure = "wall";
    result.used_us = {61234, 70321};
    game.replay = replay;
    return game;
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Games a second.
double store_rate(const std::string& path, const std::string& replay, std::size_t games,
                  std::size_t at_once) {
    boost::asio::io_context loop;
    auto opened = store::Store::open(path, {}, loop.get_executor());
    if (!opened) {
        std::fprintf(stderr, "%s\n", opened.error().message.c_str());
        return 0;
    }
    auto& store = **opened;
    const auto keeps_running =
        boost::asio::require(loop.get_executor(), boost::asio::execution::outstanding_work.tracked);
    const auto begin = Clock::now();
    std::size_t told = 0;
    for (std::size_t given = 0; given < games;) {
        for (std::size_t i = 0; i < at_once; ++i) {
            store.append({game_of(++given, replay)}, [&told](const records::Committed& committed) {
                told += committed ? 1 : 0;
            });
        }
        while (told < given) loop.run_one();
    }
    return static_cast<double>(told) / seconds_since(begin);
}

// Milliseconds until all records of a store are read, as a referee does when it starts.
double reading_ms(const std::string& path, std::size_t& records) {
    constexpr double ms_a_second = 1000;
    boost::asio::io_context loop;
    const auto begin = Clock::now();
    auto opened = store::Store::open(path, {}, loop.get_executor());
    if (!opened) return 0;
    records = 0;
    const auto read = (*opened)->history([&records](const auto& /*record*/) { ++records; });
    return read ? seconds_since(begin) * ms_a_second : 0;
}

double raw_rate(const std::string& path, const std::string& replay, std::size_t games,
                std::size_t at_once) {
    std::string line;
    records::write_record(line, game_of(1, replay));
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode);
    const auto begin = Clock::now();
    bool good = file >= 0;
    for (std::size_t given = 0; given < games && good; given += at_once) {
        for (std::size_t i = 0; i < at_once && good; ++i)
            good = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
        good = good && fdatasync(file) == 0;
    }
    const double rate = static_cast<double>(games) / seconds_since(begin);
    close(file);
    return good ? rate : 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "expected: store_bench FOLDER REPLAY [GAMES]\n");
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    std::ostringstream replay;
    replay << std::ifstream(argv[2], std::ios::binary).rdbuf();
    std::size_t games_wanted = games_default;
    if (argc > 3) {
        const std::string_view text(argv[3]);
        std::from_chars(text.data(), text.data() + text.size(), games_wanted);
    }
    std::string last;
    std::printf("replay of %zu bytes\n%8s %16s %16s\n", replay.str().size(), "at once",
                "store, games/s", "raw, games/s");
    for (const std::size_t at_once : {1U, 10U, 100U, 1000U}) {
        const auto games = std::min(games_wanted, at_once * waits_max) / at_once * at_once;
        const auto path = (folder / ("bench_" + std::to_string(at_once) + ".store")).string();
        const double stored = store_rate(path, replay.str(), games, at_once);
        const double raw = raw_rate((folder / "bench_raw").string(), replay.str(), games, at_once);
        std::printf("%8zu %16.0f %16.0f\n", at_once, stored, raw);
        last = path;
    }
    std::size_t records = 0;
    const double ms = reading_ms(last, records);
    std::printf("opened and read: %zu records in %.0f ms\n", records, ms);
    return 0;
}
