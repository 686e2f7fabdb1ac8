#include "referee/rating/rank_intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "protocol/json/assertion.h"
#include "referee/rating/random.h"

namespace referee::rating {

namespace {

constexpr double outside_each_end = 0.025;
constexpr double equal_within = 1e-9;

// Ranks by mean points; who played no match of the draw comes last.
std::vector<std::size_t> ranks_of(const std::vector<double>& sums,
                                  const std::vector<std::size_t>& counts) {
    const std::size_t players = sums.size();
    std::vector<double> mean(players, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < players; ++i) {
        if (counts[i] > 0) mean[i] = sums[i] / static_cast<double>(counts[i]);
    }
    std::vector<std::size_t> order(players);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return mean[a] > mean[b]; });
    std::vector<std::size_t> ranks(players, 1);
    for (std::size_t i = 1; i < players; ++i) {
        const double above = mean[order[i - 1]];
        const bool level = mean[order[i]] == above || above - mean[order[i]] < equal_within;
        ranks[order[i]] = level ? ranks[order[i - 1]] : i + 1;
    }
    return ranks;
}

}  // namespace

RankIntervals rank_intervals(std::size_t players, std::span<const MatchPoints> matches,
                             std::uint64_t seed, std::size_t draws) {
    REFEREE_ASSERT(draws > 0);
    Random random(seed);
    // How often each player had each rank: sorted ranks without keeping all draws.
    std::vector<std::vector<std::size_t>> seen(players, std::vector<std::size_t>(players, 0));
    for (std::size_t draw = 0; draw < draws; ++draw) {
        std::vector<double> sums(players, 0.0);
        std::vector<std::size_t> counts(players, 0);
        for (std::size_t i = 0; i < matches.size(); ++i) {
            const auto& match = matches[static_cast<std::size_t>(random.below(matches.size()))];
            for (std::size_t seat = 0; seat < match.players.size(); ++seat) {
                sums[match.players[seat]] += match.points[seat];
                ++counts[match.players[seat]];
            }
        }
        const auto ranks = ranks_of(sums, counts);
        for (std::size_t player = 0; player < players; ++player) ++seen[player][ranks[player] - 1];
    }
    RankIntervals result;
    const auto outside =
        static_cast<std::size_t>(std::floor(outside_each_end * static_cast<double>(draws)));
    for (const auto& counts : seen) {
        RankInterval interval;
        std::size_t before = 0;
        std::size_t rank = 0;
        while (before + counts[rank] <= outside) before += counts[rank++];
        interval.best = rank + 1;
        std::size_t after = 0;
        rank = players - 1;
        while (after + counts[rank] <= outside) after += counts[rank--];
        interval.worst = rank + 1;
        result.intervals.push_back(interval);
        result.first_share.push_back(static_cast<double>(counts[0]) / static_cast<double>(draws));
    }
    return result;
}

}  // namespace referee::rating
