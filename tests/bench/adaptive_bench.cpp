// How many games an adaptive tournament needs to tell who is first, and a Swiss and a round robin
// beside it, over simulated classes whose true order is known.
//
//   adaptive_bench [--classes 100] [--bots 30] [--top 1] [--strengths 200] [--deviations 0]
//   [--styles 0] [--draws 0.2]
//                  [--matches N]  of a bot, at most: only adaptive tournaments, and only with these
//                  [--fixed 0]    no Swiss and no round robin; 1: with --matches 0 only these
//                  [--until 0.95] stop a fixed design where so many of the classes were right
//                  [--half 0]     no Swiss of half as many rounds as bots
//                  [--seed 1000]  of the first class; each has the next
//
// Prints how long it took, and how long the drawing of a round did: the mean, and the longest.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/format.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/contest/formats/simulated_class.h"

namespace {

using namespace referee::formats;

using Clock = std::chrono::steady_clock;

constexpr double games_of_match = 2;
// Of the points of a round robin: who is so near counts as right too.
constexpr double margin_of_truth = 0.01;
constexpr double games_most = 4e6;  // of one class, in fixed designs

struct Task {
    std::uint64_t classes = 100;
    std::uint64_t seed = 1000;
    std::size_t top = 1;
    double until = 0.995;
    ClassKind kind;
};

double milliseconds_since(Clock::time_point then) {
    return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

// What the drawing of rounds took.
struct Drawing {
    double sum_ms = 0;
    double longest_ms = 0;
    std::uint64_t count = 0;

    void add(double took_ms) {
        sum_ms += took_ms;
        longest_ms = std::max(longest_ms, took_ms);
        ++count;
    }
};

std::vector<MatchResult> play_all(const FormatOptions& options, SimulatedClass& its,
                                  std::uint64_t seed, Drawing& drawing) {
    const auto schedule = make_schedule(config_of(options), field_of(its.bots()), seed);
    std::vector<MatchResult> played;
    std::vector<Pairing> open;
    for (;;) {
        const bool draws = schedule->drawing_due();
        const auto then = Clock::now();
        const auto next = schedule->next();
        if (draws) drawing.add(milliseconds_since(then));
        if (std::holds_alternative<Schedule::Finished>(next)) break;
        if (const auto* pairing = std::get_if<Pairing>(&next)) {
            open.push_back(*pairing);
        } else if (std::holds_alternative<Schedule::Wait>(next)) {
            for (const auto& match : open) {
                played.push_back(its.play(match));
                schedule->record(played.back());
            }
            open.clear();
        }
    }
    for (const auto& match : open) played.push_back(its.play(match));
    return played;
}

std::vector<Entrant> first_of(const std::vector<double>& worth, std::size_t top) {
    std::vector<Entrant> order(worth.size());
    std::iota(order.begin(), order.end(), Entrant{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Entrant a, Entrant b) { return worth[a] > worth[b]; });
    order.resize(top);
    return order;
}

// By points of games; in a Swiss, by these and what the opponents have.
std::vector<Entrant> first_by_points(const std::vector<MatchResult>& results, std::size_t bots,
                                     std::size_t top, bool with_opponents) {
    std::vector<double> points(bots, 0);
    std::vector<double> matches(bots, 0);
    for (const auto& match : results)
        for (std::size_t seat = 0; seat < 2; ++seat) {
            points[match.seats[seat]] += static_cast<double>(match.game_points[seat].in_halves());
            matches[match.seats[seat]] += 1;
        }
    auto worth = points;
    if (with_opponents)
        for (const auto& match : results)
            for (std::size_t seat = 0; seat < 2; ++seat)
                worth[match.seats[seat]] +=
                    points[match.seats[1 - seat]] / std::max(1.0, matches[match.seats[seat]]);
    return first_of(worth, top);
}

void print(const std::string& name, std::vector<double>& games, std::uint64_t right,
           std::uint64_t told, std::uint64_t told_wrong) {
    std::sort(games.begin(), games.end());
    const auto n = static_cast<double>(games.size());
    const double mean = std::accumulate(games.begin(), games.end(), 0.0) / n;
    std::printf("%-34s %9.0f games (median %.0f, nine of ten %.0f)  right %.3f", name.c_str(), mean,
                games[games.size() / 2], games[games.size() * 9 / 10],
                static_cast<double>(right) / n);
    if (told > 0)
        std::printf("  told %.3f, wrong of these %.4f", static_cast<double>(told) / n,
                    static_cast<double>(told_wrong) / static_cast<double>(told));
    std::printf("\n");
    std::fflush(stdout);
}

void adaptive_row(const Task& task, double matches_for_each, double confidence) {
    std::vector<double> games;
    std::uint64_t right = 0;
    std::uint64_t told = 0;
    std::uint64_t wrong = 0;
    Drawing drawing;
    const auto then = Clock::now();
    AdaptiveOptions options;
    options.top = task.top;
    options.confidence = confidence;
    options.matches =
        static_cast<std::uint64_t>(matches_for_each * static_cast<double>(task.kind.bots));
    for (std::uint64_t number = 0; number < task.classes; ++number) {
        SimulatedClass its(task.kind, task.seed + number);
        const auto played = play_all(options, its, number, drawing);
        const auto state = adaptive_state(options, its.bots(), played);
        auto first = state.order();
        first.resize(task.top);
        const bool is_right = its.are_first(first, margin_of_truth);
        games.push_back(static_cast<double>(played.size()) * games_of_match);
        right += is_right ? 1 : 0;
        told += state.answered() ? 1 : 0;
        wrong += state.answered() && !is_right ? 1 : 0;
    }
    print("adaptive, matches a bot " + std::to_string(static_cast<int>(matches_for_each)), games,
          right, told, wrong);
    std::printf(
        "    %llu classes in %.1f s; a round was drawn in %.2f ms, the longest in %.1f ms\n",
        static_cast<unsigned long long>(task.classes), milliseconds_since(then) / 1000,
        drawing.sum_ms / static_cast<double>(drawing.count), drawing.longest_ms);
    std::fflush(stdout);
}

// A fixed design, `times` over: each match has so many times two games.
template <typename Options>
bool fixed_row(const Task& task, const std::string& name, const Options& options, int times,
               bool with_opponents) {
    std::vector<double> games;
    std::uint64_t right = 0;
    for (std::uint64_t number = 0; number < task.classes; ++number) {
        SimulatedClass its(task.kind, task.seed + number);
        const auto schedule = make_schedule(config_of(options), field_of(its.bots()), number);
        const auto results =
            play(*schedule, [&](const Pairing& pairing) {
                return times == 1
                           ? its.play(pairing)
                           : its.play_long(pairing, static_cast<int>(games_of_match) * times);
            }).matches;
        games.push_back(static_cast<double>(results.size()) * games_of_match * times);
        right += its.are_first(first_by_points(results, its.bots(), task.top, with_opponents),
                               margin_of_truth)
                     ? 1
                     : 0;
    }
    print(name + ", matches of " + std::to_string(2 * times), games, right, 0, 0);
    return static_cast<double>(right) >= task.until * static_cast<double>(task.classes) ||
           games.back() > games_most;
}

// "--bots 30": names and numbers.
std::map<std::string, double> numbers_of_words(int argc, char** argv) {
    std::map<std::string, double> numbers;
    for (int place = 1; place + 1 < argc; place += 2)
        numbers[argv[place]] = std::atof(argv[place + 1]);
    return numbers;
}

}  // namespace

int main(int argc, char** argv) {
    const auto numbers = numbers_of_words(argc, argv);
    const auto number = [&](const std::string& name, double usual) {
        const auto found = numbers.find("--" + name);
        return found == numbers.end() ? usual : found->second;
    };
    Task task;
    task.classes = static_cast<std::uint64_t>(number("classes", 100));
    task.seed = static_cast<std::uint64_t>(number("seed", 1000));
    task.kind.bots = static_cast<std::size_t>(number("bots", 30));
    task.top = static_cast<std::size_t>(number("top", 1));
    task.kind.strengths = number("strengths", task.kind.strengths);
    task.kind.deviations = number("deviations", task.kind.deviations);
    task.kind.styles = number("styles", task.kind.styles);
    task.kind.draws = number("draws", task.kind.draws);
    const bool only = numbers.contains("--matches");
    task.until = number("until", task.until);
    if (only) {
        if (number("matches", 0) > 0) adaptive_row(task, number("matches", 0), 0.95);
    } else {
        for (const double matches : {8.0, 15.0, 30.0, 60.0, 500.0})
            adaptive_row(task, matches, 0.95);
    }
    if (number("fixed", only ? 0 : 1) == 0) return 0;
    constexpr int rows = 10;
    int times = 1;
    for (int row = 0; row < rows; ++row, times *= 2) {
        SwissOptions swiss;
        swiss.rounds = default_rounds(task.kind.bots, 2);
        if (fixed_row(task, "swiss of " + std::to_string(swiss.rounds), swiss, times, true)) break;
    }
    times = 1;
    for (int row = 0; row < rows && number("half", 1) != 0; ++row, times *= 2) {
        SwissOptions swiss;
        swiss.rounds = static_cast<std::uint32_t>(task.kind.bots / 2 - 1);
        if (fixed_row(task, "swiss of " + std::to_string(swiss.rounds), swiss, times, true)) break;
    }
    times = 1;
    for (int row = 0; row < rows; ++row, times *= 2)
        if (fixed_row(task, "round robin", RoundRobinOptions{}, times, false)) break;
    return 0;
}
