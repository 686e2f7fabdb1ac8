#include "referee/contest/certainty/cycles.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace referee::certainty {
namespace {

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
        std::sort(losers.begin(), losers.end(),
                  [](const auto& x, const auto& y) { return x.loser < y.loser; });
    for (auto& others : graph.met) std::sort(others.begin(), others.end());
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
    std::stable_sort(cycles.begin(), cycles.end(),
                     [](const Cycle& x, const Cycle& y) { return x.p < y.p; });
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
                    std::reverse(cycle.begin(), cycle.end());
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

}  // namespace

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

}  // namespace referee::certainty
