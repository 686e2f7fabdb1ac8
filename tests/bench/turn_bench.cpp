// Turns a second through the whole referee, beside a raw ping-pong of the same bytes in the same
// run: prints a table of ratios, and the same as JSON lines with --json. Turns, processor time and
// ratio are those inside games; what lies between two games of a pair (the result recorded on disk,
// the files, the next start) is told apart, and the referee's start and end are in neither.
//
//   turn_bench REFEREE [--json] [--rounds N] [--game walls|e7|e7-deltas] [--thinks MS] [bots ...]
//
// e7 is E7 Planets on a map of 35 x 35 with ghosts; e7-deltas the same with what has changed in
// place of the whole state. With --thinks bots wait so long before each answer, and what is printed
// is how long it takes from there to the next turn.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/bench/instant_bots.h"
#include "tests/bench/raw_ping_pong.h"
#include "tests/bench/server_process.h"

namespace {

// Turns that a run has at least, over all games: about a second of play or more.
constexpr std::uint64_t turns_min = 60'000;
// About what a game has on this board; the games that are played are counted.
constexpr std::uint64_t turns_a_game = 1238;
// The machine may be busy with other things. So the referee and the yardstick are run by turns, so
// many times each, and the run in the middle counts. As long as nobody says how often, a large
// crowd has only one run, because that takes long enough.
constexpr std::size_t rounds = 3;
constexpr std::size_t bots_of_one_round = 512;

struct Options {
    std::string referee;
    bool json = false;
    std::size_t rounds = 0;  // 0: as many as usual
    bench::Game game = bench::Game::walls;
    std::chrono::milliseconds thinks{0};
    std::vector<std::size_t> sizes;

    std::size_t rounds_of(std::size_t bots) const {
        return rounds > 0 ? rounds : bots < bots_of_one_round ? ::rounds : 1;
    }
};

// One run, as it is told.
struct Measured {
    bench::Tally tally;
    double rate() const { return static_cast<double>(tally.inside_turns) / tally.inside_seconds; }
    double cpu_us() const {
        return tally.inside_server_cpu_us / static_cast<double>(tally.inside_turns);
    }
};

std::uint64_t games_for(std::size_t bots, const Options& options) {
    if (options.thinks.count() > 0) return 1;
    const auto turns = options.game == bench::Game::walls ? turns_a_game : bench::e7_turns;
    const auto at_once = turns * (bots / bench::seats_of(options.game));
    return (turns_min + at_once - 1) / at_once;
}

// A tournament for each pair, or for each bot that plays alone.
std::string tournament_text(std::size_t first, std::uint64_t games, bench::Game game) {
    const auto number = std::to_string(first);
    const auto match = "\"match\":{\"games\":" + std::to_string(games) + "}";
    if (game != bench::Game::walls)
        return "{\"id\":\"t" + number +
               "\",\"game\":\"e7_planets\",\"params\":" + bench::e7_params() +
               ",\"format\":{\"kind\":\"leaderboard\"}," + match + ",\"bots\":[\"b" + number +
               "\"]}";
    return "{\"id\":\"t" + number +
           "\",\"game\":\"walls\",\"params\":{\"size\":" + std::to_string(bench::board_size) +
           "}," + match + ",\"clock\":{\"budget\":\"10s\"},\"bots\":[\"b" + number + "\",\"b" +
           std::to_string(first + 1) + "\"]}";
}

Measured through_referee(const Options& options, std::size_t bots) {
    const auto port = bench::free_port();
    std::string tournaments;
    for (std::size_t i = 0; i < bots; i += bench::seats_of(options.game))
        tournaments +=
            (i == 0 ? "" : ",") + tournament_text(i, games_for(bots, options), options.game);
    bench::ServerProcess server("turn_bench", options.referee, "run",
                                bench::crowd_config(bots, tournaments, port), port);
    Measured measured;
    measured.tally = bench::play_instant_bots({boost::asio::ip::address_v4::loopback(), port}, bots,
                                              server.process(), {options.game, options.thinks});
    const int status = server.wait();
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

struct Played {
    std::vector<Round> rounds;
    std::uint64_t turn_bytes = 0;
    std::uint64_t turns = 0;  // of a game
};

Played play(const Options& options, std::size_t bots) {
    Played played;
    const auto games = games_for(bots, options);
    for (std::size_t i = 0; i < options.rounds_of(bots); ++i) {
        const auto whole = through_referee(options, bots);
        played.turn_bytes = whole.tally.bytes_in / std::max<std::uint64_t>(whole.tally.turns, 1);
        // The yardstick always plays in pairs.
        const auto all = whole.tally.turns / games;
        played.turns = all / (bots / bench::seats_of(options.game));
        played.rounds.push_back(
            {whole,
             {bench::raw_ping_pong(bots, played.turn_bytes, {games, all / (bots / 2)},
                                   options.thinks)}});
    }
    return played;
}

// The share of `of` that is no longer than this.
double delay_us(const Measured& measured, double share) {
    auto delays = measured.tally.delays_us;
    if (delays.empty()) return 0;
    const auto at = static_cast<std::size_t>(share * static_cast<double>(delays.size() - 1));
    std::nth_element(delays.begin(), delays.begin() + static_cast<std::ptrdiff_t>(at),
                     delays.end());
    return delays[at];
}

// From an answer to the next turn.
void report_delays(const Options& options, std::size_t bots) {
    const auto played = play(options, bots).rounds;
    const auto at = [&](double share, auto which) {
        return middle_of(played, [&](const Round& round) { return delay_us(round.*which, share); });
    };
    std::printf(options.json
                    ? "{\"bots\":%zu,\"delay_us\":%.0f,\"delay_us_99\":%.0f,\"delay_us_most\":%.0f,"
                      "\"raw_delay_us\":%.0f,\"raw_delay_us_99\":%.0f}\n"
                    : "%6zu %12.0f %12.0f %12.0f %12.0f %12.0f\n",
                bots, at(0.5, &Round::whole), at(0.99, &Round::whole), at(1, &Round::whole),
                at(0.5, &Round::raw), at(0.99, &Round::raw));
    std::fflush(stdout);
}

void report(const Options& options, std::size_t bots) {
    const auto all = play(options, bots);
    const auto& played = all.rounds;
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
    const auto kib = middle_of(played, [](const Round& round) {
        return static_cast<double>(round.whole.tally.server_kib);
    });
    std::printf(
        options.json ? "{\"bots\":%zu,\"turn_bytes\":%lu,\"turns_per_game\":%lu,\"turns_a_second\":"
                       "%.0f,\"raw_turns_a_second\":%.0f,"
                       "\"ratio\":%.3f,\"cpu_us_a_turn\":%.2f,\"raw_cpu_us_a_turn\":%.2f,\"between_"
                       "games_ms\":%.2f,\"server_kib\":%.0f}\n"
                     : "%6zu %10lu %10lu %10.0f %11.0f %7.2f %11.2f %7.2f %16.2f %10.0f\n",
        bots, static_cast<unsigned long>(all.turn_bytes), static_cast<unsigned long>(all.turns),
        rate, raw_rate, ratio, cpu, raw_cpu, pause_ms, kib);
    std::fflush(stdout);
}

int usage() {
    std::fprintf(stderr,
                 "usage: turn_bench REFEREE [--json] [--rounds N] [--game walls|e7|e7-deltas] "
                 "[--thinks MS] [bots ...]\n");
    return 2;
}

// False: something is not understood.
bool read_options(const std::vector<std::string>& words, Options& options) {
    const std::map<std::string, bench::Game> games = {{"walls", bench::Game::walls},
                                                      {"e7", bench::Game::e7},
                                                      {"e7-deltas", bench::Game::e7_deltas}};
    options.referee = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto& word = words[i];
        if (word == "--json") {
            options.json = true;
        } else if (word.starts_with("--")) {
            if (++i == words.size()) return false;
            const auto number = std::strtoul(words[i].c_str(), nullptr, 10);
            if (word == "--rounds") {
                options.rounds = number;
            } else if (word == "--thinks") {
                options.thinks = std::chrono::milliseconds(number);
            } else if (word == "--game" && games.count(words[i]) > 0) {
                options.game = games.at(words[i]);
            } else {
                return false;
            }
        } else {
            options.sizes.push_back(std::strtoul(word.c_str(), nullptr, 10));
        }
    }
    if (options.sizes.empty()) options.sizes = {2, 64, 1024};
    return std::all_of(options.sizes.begin(), options.sizes.end(),
                       [](std::size_t bots) { return bots > 0 && bots % 2 == 0; });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (argc < 2 || !read_options({argv + 1, argv + argc}, options)) return usage();
    const auto print = [&](const char* heads, auto report_one) {
        if (!options.json) std::printf("%s\n", heads);
        for (const auto bots : options.sizes) report_one(options, bots);
    };
    if (options.thinks.count() > 0) {
        print("  bots    delay, us    99 of 100      longest    raw delay    99 of 100",
              report_delays);
    } else {
        print(
            "  bots bytes/turn turns/game    turns/s raw turns/s   ratio cpu us/turn raw cpu "
            "between games ms memory KiB",
            report);
    }
    return 0;
}
