#include "referee/contest/certainty/seed_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace referee::certainty {
namespace {

constexpr double outside_of_interval = 0.05;
constexpr double missed_seeds = 0.4;  // to both sides: in one of five cases
constexpr double needed_most = 1e9;
constexpr double spread_least = 1e-12;  // of the squares: less is the error of adding up

using Scores = std::span<const std::vector<std::optional<double>>>;

struct Compared {
    SeedComparison pair;
    double deviation = 0;  // of the differences; 0: they didn't scatter
};

Compared compared(Scores scores, std::size_t a, std::size_t b) {
    double sum = 0;
    double squares = 0;
    double unlike = 0;
    Compared found;
    auto& pair = found.pair;
    for (const auto& seed : scores) {
        if (!seed[a] || !seed[b]) continue;
        const double difference = *seed[a] - *seed[b];
        ++pair.seeds;
        sum += difference;
        squares += difference * difference;
        unlike += difference != 0 ? 1 : 0;
    }
    pair.better = sum >= 0 ? a : b;
    pair.worse = sum >= 0 ? b : a;
    if (pair.seeds == 0) return found;
    const auto seeds = static_cast<double>(pair.seeds);
    pair.difference = std::abs(sum) / seeds;
    const double spread = squares - sum * sum / seeds;
    if (pair.seeds >= 2 && spread > squares * spread_least)
        found.deviation = std::sqrt(spread / (seeds - 1));
    if (sum == 0) return found;
    // The least that the signs of so many differences can come to.
    pair.p = std::min(1.0, std::exp2(1 - unlike));
    if (found.deviation > 0)
        pair.p = std::max(
            pair.p,
            student_two_sided(pair.difference * std::sqrt(seeds) / found.deviation, seeds - 1));
    return found;
}

void tell_more(SeedComparison& pair, double deviation) {
    if (deviation == 0) return;
    const auto seeds = static_cast<double>(pair.seeds);
    const double half =
        student_quantile(outside_of_interval, seeds - 1) * deviation / std::sqrt(seeds);
    pair.interval = {pair.difference - half, pair.difference + half};
    if (pair.difference == 0) return;
    const double certain = normal_quantile(outside_of_interval);
    const double times = (certain + normal_quantile(missed_seeds)) * deviation / pair.difference;
    // The deviation isn't known beforehand either, which takes about two more.
    const double needed = times * times + certain * certain / 2;
    pair.needed = static_cast<std::uint64_t>(std::min(needed_most, std::ceil(needed)));
}

std::vector<std::size_t> who_played(SeedOrder& order, std::size_t players, Scores scores) {
    std::vector<double> played(players, 0.0);
    order.means.assign(players, 0.0);
    for (const auto& seed : scores) {
        for (std::size_t player = 0; player < players; ++player) {
            if (!seed[player]) continue;
            ++played[player];
            order.means[player] += *seed[player];
        }
    }
    std::vector<std::size_t> who;
    for (std::size_t player = 0; player < players; ++player) {
        if (played[player] == 0) continue;
        order.means[player] /= played[player];
        who.push_back(player);
    }
    return who;
}

}  // namespace

SeedOrder order_on_seeds(std::size_t players, Scores scores) {
    SeedOrder order;
    order.seeds = scores.size();
    order.order = who_played(order, players, scores);
    std::stable_sort(order.order.begin(), order.order.end(),
                     [&](std::size_t a, std::size_t b) { return order.means[a] > order.means[b]; });
    std::vector<Compared> all;
    std::vector<double> p;
    for (std::size_t i = 0; i < order.order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.order.size(); ++j) {
            all.push_back(compared(scores, order.order[i], order.order[j]));
            p.push_back(all.back().pair.p);
        }
    }
    p = holm_corrected(std::move(p));
    order.pairs = all.size();
    order.places.assign(players, 0);
    for (const auto player : order.order) order.places[player] = 1;
    for (std::size_t index = 0; index < all.size(); ++index) {
        auto& pair = all[index].pair;
        pair.p = p[index];
        pair.told = p[index] <= seeds_alpha;
        if (!pair.told) continue;
        ++order.told_pairs;
        ++order.places[pair.worse];
    }
    std::size_t begin = 0;  // of the pairs of one and those after it
    for (std::size_t i = 0; i + 1 < order.order.size(); ++i) {
        tell_more(all[begin].pair, all[begin].deviation);
        order.next.push_back(all[begin].pair);
        begin += order.order.size() - 1 - i;
    }
    return order;
}

}  // namespace referee::certainty
