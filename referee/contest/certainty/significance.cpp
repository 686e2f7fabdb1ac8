#include "referee/contest/certainty/significance.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::certainty {
namespace {

constexpr double bell_95 = 1.959963984540054;
constexpr double coin_variance = 0.25;  // of a match without draws between equals
// So many matches without draws are thought to have been seen before, as far as scatter goes.
constexpr double scatter_before = 3;

// Who met whom, and who beats whom for sure.
struct Graph {
    explicit Graph(std::size_t players) : after(players), met(players) {}

    struct Beaten {
        std::size_t loser;
        double p;
    };
    std::vector<std::vector<Beaten>> after;     // by winner, in the order of losers
    std::vector<std::vector<std::size_t>> met;  // by player: those of a higher number, in order
};

Graph graph_of(std::size_t players, std::span<const PairRecord> pairs, CycleSearch& search) {
    std::vector<double> p;
    for (const auto& pair : pairs) {
        if (pair.distinct == 0 || pair.settled) continue;
        p.push_back(coin_two_sided(pair.won, pair.lost));
        search.undrawn = std::max(search.undrawn, pair.won + pair.lost);
    }
    search.pairs = p.size();
    p = holm_corrected(std::move(p));
    Graph graph(players);
    std::size_t tested = 0;
    for (const auto& pair : pairs) {
        if (pair.distinct == 0) continue;
        graph.met[std::min(pair.a, pair.b)].push_back(std::max(pair.a, pair.b));
        const double its = pair.settled ? 0 : p[tested++];
        if (its > cycles_alpha || pair.won == pair.lost) continue;
        const bool a_wins = pair.won > pair.lost;
        graph.after[a_wins ? pair.a : pair.b].push_back({a_wins ? pair.b : pair.a, its});
    }
    for (auto& losers : graph.after)
        std::ranges::sort(losers, [](const auto& x, const auto& y) { return x.loser < y.loser; });
    for (auto& others : graph.met) std::ranges::sort(others);
    return graph;
}

std::uint64_t triples_of(const Graph& graph) {
    std::uint64_t triples = 0;
    std::vector<bool> marked(graph.met.size());
    for (const auto& others : graph.met) {
        for (const auto other : others) marked[other] = true;
        for (const auto other : others)
            for (const auto third : graph.met[other]) triples += marked[third] ? 1 : 0;
        for (const auto other : others) marked[other] = false;
    }
    return triples;
}

void keep_surest(std::vector<Cycle>& cycles) {
    std::ranges::stable_sort(cycles, [](const Cycle& x, const Cycle& y) { return x.p < y.p; });
    if (cycles.size() > cycles_told_most) cycles.resize(cycles_told_most);
}

void find_in(const Graph& graph, CycleSearch& search) {
    std::vector<double> back(graph.after.size(), -1);  // by player: who beats the first, how surely
    std::vector<std::vector<Graph::Beaten>> before(graph.after.size());
    for (std::size_t winner = 0; winner < graph.after.size(); ++winner)
        for (const auto& [loser, p] : graph.after[winner]) before[loser].push_back({winner, p});
    for (std::size_t first = 0; first < graph.after.size(); ++first) {
        for (const auto& [winner, p] : before[first]) back[winner] = p;
        for (const auto& [second, p] : graph.after[first]) {
            if (second < first) continue;  // each cycle once, from its lowest number
            for (const auto& [third, other_p] : graph.after[second]) {
                if (third < first || back[third] < 0) continue;
                ++search.found;
                search.cycles.push_back(
                    {{first, second, third}, std::max({p, other_p, back[third]})});
            }
        }
        for (const auto& [winner, p] : before[first]) back[winner] = -1;
        keep_surest(search.cycles);
    }
}

// A shortest cycle whose lowest number is `first`; empty: there is none below `longest`.
std::vector<std::size_t> shortest_from(const Graph& graph, std::size_t first, std::size_t longest) {
    constexpr auto nobody = static_cast<std::size_t>(-1);
    std::vector<std::size_t> beaten_by(graph.after.size(), nobody);
    std::vector<std::size_t> reached{first};
    std::size_t length = 1;
    for (std::size_t begin = 0; begin < reached.size() && length <= longest; ++length) {
        for (const auto end = reached.size(); begin < end; ++begin) {
            for (const auto& [loser, p] : graph.after[reached[begin]]) {
                if (loser == first) {
                    std::vector<std::size_t> cycle{reached[begin]};
                    while (cycle.back() != first) cycle.push_back(beaten_by[cycle.back()]);
                    std::ranges::reverse(cycle);
                    return cycle;
                }
                if (loser < first || beaten_by[loser] != nobody) continue;
                beaten_by[loser] = reached[begin];
                reached.push_back(loser);
            }
        }
    }
    return {};
}

double surest_of(const Graph& graph, const std::vector<std::size_t>& players) {
    double p = 0;
    for (std::size_t i = 0; i < players.size(); ++i) {
        const auto next = players[(i + 1) % players.size()];
        for (const auto& beaten : graph.after[players[i]])
            if (beaten.loser == next) p = std::max(p, beaten.p);
    }
    return p;
}

// Requires: there are none of three.
void find_longer(const Graph& graph, CycleSearch& search) {
    auto longest = graph.after.size();
    for (std::size_t first = 0; first < graph.after.size(); ++first) {
        auto players = shortest_from(graph, first, longest);
        if (players.empty()) continue;
        if (players.size() < longest) search.cycles.clear();
        longest = players.size();
        const double p = surest_of(graph, players);
        search.cycles.push_back({std::move(players), p});
    }
    search.found = search.cycles.size();
    keep_surest(search.cycles);
}

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

Interval share_interval(const PairRecord& pair) {
    if (pair.distinct == 0) return {};
    const auto matches = static_cast<double>(pair.distinct);
    const double mean = pair.share / matches;
    if (pair.settled) return {mean, mean};
    const double scatter = std::max(0.0, pair.squares - matches * mean * mean);
    const double undrawn = matches * mean * (1 - mean);
    const double before = scatter_before * coin_variance;
    const double as_many = matches * (undrawn + before) / (scatter + before);
    // With the correction for steps that counts take (Newcombe), so that few matches hold it too.
    const double z2 = bell_95 * bell_95;
    const double whole = 2 * (as_many + z2);
    const double other = 1 - mean;
    const double below = z2 - 2 - 1 / as_many + 4 * mean * (as_many * other + 1);
    const double above = z2 + 2 - 1 / as_many + 4 * mean * (as_many * other - 1);
    const double twice = 2 * as_many * mean + z2;
    const double low = (twice - 1 - bell_95 * std::sqrt(std::max(0.0, below))) / whole;
    const double high = (twice + 1 + bell_95 * std::sqrt(std::max(0.0, above))) / whole;
    return {mean == 0 ? 0 : std::clamp(low, 0.0, mean),
            mean == 1 ? 1 : std::clamp(high, mean, 1.0)};
}

std::vector<double> holm_corrected(std::vector<double> p) {
    std::vector<std::size_t> order(p.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    double most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        auto& one = p[order[place]];
        most = std::max(most, std::min(1.0, one * static_cast<double>(p.size() - place)));
        one = most;
    }
    return p;
}

double student_two_sided(double t, double freedom) {
    REFEREE_ASSERT(freedom > 0);
    return boost::math::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double outside, double freedom) {
    REFEREE_ASSERT(outside > 0 && outside < 1 && freedom > 0);
    double rest = 0;  // 1 - x, with all of its digits where x is near 1
    const double x = boost::math::ibeta_inv(freedom / 2, 0.5, outside, &rest);
    return std::sqrt(freedom * rest / x);
}

double normal_quantile(double outside) {
    REFEREE_ASSERT(outside > 0 && outside < 1);
    return std::numbers::sqrt2 * boost::math::erfc_inv(outside);
}

double coin_two_sided(std::uint64_t heads, std::uint64_t tails) {
    const auto most = static_cast<double>(std::max(heads, tails));
    const auto least = static_cast<double>(std::min(heads, tails));
    if (most == least) return 1;
    // As often at least `most` heads: the binomial's tail is a beta distribution.
    return std::min(1.0, 2 * boost::math::ibeta(most, least + 1, 0.5));
}

CycleSearch find_cycles(std::size_t players, std::span<const PairRecord> pairs) {
    CycleSearch search;
    const auto graph = graph_of(players, pairs, search);
    search.triples = triples_of(graph);
    if (search.pairs > 0) {
        const auto corrected = static_cast<double>(search.pairs);
        search.needed =
            static_cast<std::uint64_t>(std::ceil(1 + std::log2(corrected / cycles_alpha)));
    }
    find_in(graph, search);
    if (search.found == 0) find_longer(graph, search);
    return search;
}

SeedOrder order_on_seeds(std::size_t players, Scores scores) {
    SeedOrder order;
    order.seeds = scores.size();
    order.order = who_played(order, players, scores);
    std::ranges::stable_sort(
        order.order, [&](std::size_t a, std::size_t b) { return order.means[a] > order.means[b]; });
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
