// How long ratings take, and how sure the order is, over the field's size. Seconds of processor
// time: what else the machine does plays no part.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/rating/rank_intervals.h"
#include "tests/referee/contest/rating/simulated_field.h"

namespace {

using namespace referee::rating;

constexpr double strength_range = 400;  // Elo between the best and the last
constexpr double draw_share = 0.2;

// As many draws as a report takes.
std::size_t draws_for(std::size_t matches) {
    constexpr std::size_t matches_gone_through_about = 1'000'000;
    return std::clamp<std::size_t>(matches_gone_through_about / matches, 50, 1000);
}

// Everybody's strength, evenly spread.
std::vector<double> field_of(std::size_t players) {
    std::vector<double> strengths;
    for (std::size_t i = 0; i < players; ++i) {
        strengths.push_back(strength_range *
                            (static_cast<double>(i) / static_cast<double>(players) - 0.5));
    }
    return strengths;
}

// Like a Swiss: in each round who stands level meets, by lot.
std::vector<PairResult> swiss(const std::vector<double>& strengths, int rounds, Random& random) {
    std::vector<PairResult> results;
    std::vector<double> points(strengths.size(), 0.0);
    std::vector<std::size_t> order(strengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int round = 0; round < rounds; ++round) {
        random.shuffle(std::span<std::size_t>(order));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return points[a] > points[b]; });
        for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
            const auto a = order[i];
            const auto b = order[i + 1];
            const double share = played_share(random, strengths[a] - strengths[b], draw_share);
            results.push_back({a, b, share});
            points[a] += share;
            points[b] += 1 - share;
        }
    }
    return results;
}

template <typename Work>
double seconds_of(Work work) {
    const auto began = std::clock();
    work();
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

void measure(const std::string& what, std::size_t players, const std::vector<PairResult>& results) {
    std::vector<RatedMatchPoints> matches;
    for (const auto& one : results)
        matches.push_back({{one.first, one.second}, {one.share, 1 - one.share}});
    const double elo = seconds_of([&] { elo_ratings(players, results); });
    const auto draws = draws_for(matches.size());
    const double order = seconds_of([&] { rank_intervals(players, matches, 1, draws); });
    std::printf("%-24s %8zu matches   Elo %8.4f s   order %8.4f s (%zu draws)\n", what.c_str(),
                results.size(), elo, order, draws);
}

}  // namespace

int main() {
    Random random(1);
    for (const std::size_t players : {30U, 60U, 120U, 300U, 400U, 1000U}) {
        const auto strengths = field_of(players);
        measure("round robin of " + std::to_string(players), players,
                round_robin(strengths, 1, draw_share, random));
    }
    constexpr int rounds = 9;
    for (const std::size_t players : {300U, 1000U}) {
        measure("Swiss of " + std::to_string(players) + ", " + std::to_string(rounds) + " rounds",
                players, swiss(field_of(players), rounds, random));
    }
}
