#include "referee/contest/pairing/scope.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/cover.h"
#include "referee/contest/pairing/optima.h"

namespace referee::pairing {
namespace {

// Chapters 3 and 4 of C.04.3: of all candidates that fulfil the criteria best, the one that is
// generated first.

// Whether its mate is of the bracket too.
bool paired_here(const Scope& scope, const Optima& optima, int v) {
    return optima.mate(v) != Optima::alone && scope.in_bracket(optima.mate(v));
}

std::vector<int> ranking_of(const Scope& scope) {
    std::vector<int> ranking(at(scope.size()));
    std::iota(ranking.begin(), ranking.end(), 0);
    return ranking;
}

Coverage coverage_of(Reach reach) {
    return reach == Reach::next ? Coverage::partial : Coverage::perfect;
}

// What is left of a bracket once those who moved down have opponents, or of a bracket without
// such: its vertices in ranking order, split into the original S1 and S2.
struct Remainder {
    std::vector<int> vertices;
    std::vector<int> sequence_number;  // by vertex of the scope, from 1; 0: not of the remainder
    int pairs = 0;

    bool holds(int v) const { return sequence_number[at(v)] != 0; }
    bool in_first_half(int v) const { return holds(v) && sequence_number[at(v)] <= pairs; }
};

Remainder remainder_of(const Scope& scope, const Optima& optima) {
    Remainder remainder;
    remainder.sequence_number.assign(at(scope.size()), 0);
    int paired = 0;
    for (int v = scope.moved_down; v < scope.bracket; ++v) {
        const bool within = paired_here(scope, optima, v);
        if (within && optima.mate(v) < scope.moved_down) continue;
        remainder.vertices.push_back(v);
        remainder.sequence_number[at(v)] = static_cast<int>(remainder.vertices.size());
        if (within) ++paired;
    }
    remainder.pairs = paired / 2;
    return remainder;
}

// The order of exchanges (4.3.2) as far as it can be summed up: how many players change sides,
// then how far. Below the criteria, if those are still needed.
class ExchangeOrder final : public Valuation {
 public:
    ExchangeOrder(const Remainder& remainder, const Valuation* criteria)
        : remainder_(remainder), criteria_(criteria) {
        const auto size = static_cast<std::uint64_t>(remainder.vertices.size());
        const auto pairs = static_cast<std::uint64_t>(remainder.pairs);
        distance_ = layout_.place(size * pairs);
        kept_ = layout_.place(pairs);
    }

    std::size_t bits() const override {
        return layout_.bits() + (criteria_ ? criteria_->bits() : 0);
    }

    void terms(int u, int v, Terms& terms) const override {
        if (criteria_) {
            criteria_->terms(u, v, terms);
            for (Term& term : terms) term.shift += layout_.bits();
        }
        if (!remainder_.holds(u) || !remainder_.holds(v)) return;
        const auto size = static_cast<int>(remainder_.vertices.size());
        const int number = remainder_.sequence_number[at(u)];
        if (number <= remainder_.pairs) terms.push_back({1, kept_.shift});
        terms.push_back({static_cast<std::uint64_t>(size - number), distance_.shift});
    }

 private:
    const Remainder& remainder_;
    const Valuation* criteria_;
    BitLayout layout_;
    BitLayout::Place distance_;
    BitLayout::Place kept_;
};

// The moved-down players: first which of them are paired (4.4), then with whom (4.2).
void settle_moved_down(const Scope& scope, Optima& optima) {
    std::vector<int> outside(at(scope.size()), 0);
    for (int v = scope.bracket; v < scope.size(); ++v) outside[at(v)] = 1;
    for (int v = 0; v < scope.moved_down; ++v) optima.prefer(v, outside);

    const auto ranking = ranking_of(scope);
    for (int v = 0; v < scope.moved_down; ++v)
        if (paired_here(scope, optima, v)) optima.prefer(v, ranking);
}

// Only matchings in which each of the first half has an opponent from the second half.
Graph without_exchange(const Scope& scope, const Remainder& remainder) {
    Graph mask(scope.size());
    mask.add_where([&](int u, int v) {
        if (remainder.in_first_half(v)) return false;
        return remainder.in_first_half(u) ? remainder.holds(v)
                                          : !(remainder.holds(u) && remainder.holds(v));
    });
    return mask;
}

// The edges left, with all that is settled about those who moved down.
Graph edges_left(const Scope& scope, const Optima& optima) {
    Graph edges(scope.size());
    edges.add_where([&](int u, int v) {
        if (!optima.has_edge(u, v)) return false;
        const bool settled = u < scope.moved_down && paired_here(scope, optima, u);
        return !settled || optima.mate(u) == v;
    });
    return edges;
}

bool is_top(const Remainder& remainder, const Optima& optima, int v) {
    const int mate = optima.mate(v);
    return mate != Optima::alone && remainder.holds(mate) && mate > v;
}

// The rest of the order of exchanges: who leaves the first half, from its end, then who leaves
// the second half, from its start.
void settle_exchange(const Scope& scope, const Remainder& remainder, Optima& optima) {
    int exchanged = 0;
    for (const int v : remainder.vertices)
        if (remainder.in_first_half(v) && !is_top(remainder, optima, v)) ++exchanged;

    const auto prefer_top = [&](int v, bool top) {
        std::vector<int> rank(at(scope.size()), top ? 1 : 0);
        for (const int u : remainder.vertices)
            if (u > v) rank[at(u)] = top ? 0 : 1;
        optima.prefer(v, rank);
        return is_top(remainder, optima, v) == top;
    };
    int leaving = exchanged;
    for (int i = remainder.pairs; i-- > 0 && leaving > 0;)
        if (prefer_top(remainder.vertices[at(i)], false)) --leaving;
    int entering = exchanged;
    const int size = static_cast<int>(remainder.vertices.size());
    for (int i = remainder.pairs; i < size && entering > 0; ++i)
        if (prefer_top(remainder.vertices[at(i)], true)) --entering;
}

// The order of transpositions (4.2).
void settle_transposition(const Scope& scope, const Remainder& remainder, Optima& optima) {
    const auto ranking = ranking_of(scope);
    for (const int v : remainder.vertices)
        if (is_top(remainder, optima, v)) optima.prefer(v, ranking);
}

// Narrows the optima down to one as far as the bracket's pairs go.
std::unique_ptr<Optima> first_candidate(const Scope& scope, const Valuation& criteria,
                                        std::unique_ptr<Optima> optima) {
    settle_moved_down(scope, *optima);
    const Remainder remainder = remainder_of(scope, *optima);
    if (remainder.pairs == 0) return optima;
    if (auto plain = optima->within(without_exchange(scope, remainder))) {
        settle_transposition(scope, remainder, *plain);
        return plain;
    }
    const ExchangeOrder order(remainder, optima->edges_tell_all() ? nullptr : &criteria);
    auto ordered = optima_of(edges_left(scope, *optima), order, coverage_of(scope.reach));
    REFEREE_ASSERT(ordered != nullptr);
    settle_exchange(scope, remainder, *ordered);
    settle_transposition(scope, remainder, *ordered);
    return ordered;
}

// Pairs of the bracket, as C6 counts them.
int pairs_within(const Scope& scope, const Optima& optima) {
    int players = 0;
    for (int v = 0; v < scope.bracket; ++v) players += paired_here(scope, optima, v) ? 1 : 0;
    return players / 2;
}

// The best matching of a scope, and the first of its kind; null when the scope alone has none.
struct Solution {
    Scope scope;
    std::unique_ptr<Optima> optima;
};

Solution solve(const Lineup& lineup, const Bracket& bracket, Reach reach) {
    const bool here = bye_is_here(lineup, bracket);
    const int slots = reach == Reach::bracket ? slots_needed(lineup, bracket) : 0;
    Solution solution{scope_of(lineup, bracket, reach, slots), nullptr};
    Scope& scope = solution.scope;
    if (here && reach == Reach::bracket) scope.single_bye = slots == 0;
    if (here && reach != Reach::bracket) {
        const auto counted =
            optima_of(scope.edges, *criteria_of(lineup, scope), coverage_of(reach));
        if (!counted) return solution;
        scope.single_bye = scope.bracket - 2 * pairs_within(scope, *counted) == 1;
    }
    const auto criteria = criteria_of(lineup, scope);
    solution.optima = optima_of(scope.edges, *criteria, coverage_of(reach));
    if (solution.optima)
        solution.optima = first_candidate(scope, *criteria, std::move(solution.optima));
    return solution;
}

// The players of the scope that the solution leaves to the brackets below, and the bye if it leaves
// that too.
std::vector<int> left_over(const Lineup& lineup, const Solution& solution) {
    std::vector<int> left;
    bool bye_given = !lineup.odd;
    for (int v = 0; v < solution.scope.size(); ++v) {
        const Member& member = solution.scope.member(v);
        const int mate = solution.optima->mate(v);
        const bool alone = mate == Optima::alone || solution.scope.member(mate).role == Role::slot;
        if (member.role == Role::bye) bye_given = !alone;
        if (alone && member.role != Role::slot && member.role != Role::bye)
            left.push_back(member.player);
    }
    if (!bye_given) left.push_back(lineup.bye());
    return left;
}

// The part of the lineup's graph on these vertices, numbered in their order.
Graph part_of(const Lineup& lineup, const std::vector<int>& vertices) {
    Graph part(static_cast<int>(vertices.size()));
    part.add_where(
        [&](int u, int v) { return lineup.allowed.has(vertices[at(u)], vertices[at(v)]); });
    return part;
}

bool can_be_completed(const Lineup& lineup, std::vector<int> vertices,
                      const std::vector<int>& more) {
    vertices.insert(vertices.begin(), more.begin(), more.end());
    const Graph part = part_of(lineup, vertices);
    return Cover(part).maximise() == 0;
}

// Whether looking farther down would change nothing: what the solution leaves over allows the best
// that the next bracket could hope for, and the rest can be paired after it.
bool leaves_the_best(const Lineup& lineup, const Bracket& bracket, std::vector<int> left) {
    const bool bye_left = !left.empty() && left.back() == lineup.bye();
    if (bye_left) left.pop_back();
    if (bracket.next.empty()) return left.empty() && !bye_left;
    if (left.empty()) {
        std::vector<int> below = bracket.later;
        if (bye_left) below.push_back(lineup.bye());
        return can_be_completed(lineup, below, bracket.next);
    }
    const bool bye_next = bye_left && lineup.bye_score_tenths >= lineup.score(bracket.next.front());
    const int floaters = static_cast<int>(left.size());
    std::vector<int> vertices = left;
    if (bye_next) vertices.push_back(lineup.bye());
    vertices.insert(vertices.end(), bracket.next.begin(), bracket.next.end());
    Graph part = part_of(lineup, vertices);
    for (int v = 0; v < floaters; ++v)
        for (int u = 0; u < v; ++u) part.remove(u, v);
    Cover cover(part);
    const int size = static_cast<int>(vertices.size());
    const int first_resident = size - static_cast<int>(bracket.next.size());
    if (cover.maximise(first_resident) != size % 2) return false;
    std::vector<int> below = bracket.later;
    if (bye_left && !bye_next) below.push_back(lineup.bye());
    std::vector<int> lone;
    for (int v = 0; v < size; ++v) {
        if (cover.covers(v)) continue;
        if (v < first_resident) return false;
        lone.push_back(vertices[at(v)]);
    }
    return can_be_completed(lineup, below, lone);
}

bool holds_below(const Lineup& lineup, const Bracket& bracket, const Solution& solution) {
    switch (solution.scope.reach) {
        case Reach::bracket:
            return leaves_the_best(lineup, bracket, left_over(lineup, solution));
        case Reach::next:
            return can_be_completed(lineup, left_over(lineup, solution), bracket.later);
        case Reach::whole:
            break;
    }
    return true;
}

BracketPairing read_off(const Solution& solution) {
    BracketPairing pairing;
    const Scope& scope = solution.scope;
    for (int v = 0; v < scope.bracket; ++v) {
        const int mate = solution.optima->mate(v);
        const int player = scope.member(v).player;
        if (!paired_here(scope, *solution.optima, v))
            pairing.downfloaters.push_back(player);
        else if (v < mate)
            pairing.pairs.emplace_back(player, scope.member(mate).player);
    }
    return pairing;
}

// Whether it costs nothing that this resident of a homogeneous bracket is its only downfloater.
bool floats_freely(const Lineup& lineup, const Bracket& bracket, int player) {
    const Profile& profile = lineup.player(player);
    if (profile.floated_last == Float::down || profile.floated_before == Float::down) return false;
    if (!bye_is_here(lineup, bracket)) return true;
    return lineup.allowed.has(player, lineup.bye()) &&
           std::ranges::all_of(bracket.residents, [&](int other) {
               return lineup.player(other).unplayed >= profile.unplayed;
           });
}

// The first candidate of a homogeneous bracket, if no criterion finds any fault with it (3.4.1).
std::optional<BracketPairing> perfect_candidate(const Lineup& lineup, const Bracket& bracket) {
    const auto& residents = bracket.residents;
    if (!bracket.moved_down.empty()) return std::nullopt;
    const std::size_t pairs = residents.size() / 2;
    BracketPairing pairing;
    for (std::size_t i = 0; i < pairs; ++i) {
        const int higher = residents[i];
        const int lower = residents[i + pairs];
        if (!lineup.allowed.has(higher, lower) ||
            (lineup.field.colours && prefer_the_same(lineup.player(higher), lineup.player(lower))))
            return std::nullopt;
        pairing.pairs.emplace_back(higher, lower);
    }
    const bool bye_here = bye_is_here(lineup, bracket);
    std::vector<int> left;
    if (residents.size() % 2 == 1) {
        if (!floats_freely(lineup, bracket, residents.back())) return std::nullopt;
        pairing.downfloaters.push_back(residents.back());
        if (!bye_here) left.push_back(residents.back());
    } else if (bye_here) {
        return std::nullopt;
    }
    if (lineup.odd && !bye_here) left.push_back(lineup.bye());
    if (!leaves_the_best(lineup, bracket, std::move(left))) return std::nullopt;
    return pairing;
}

}  // namespace

BracketPairing pair_bracket(const Lineup& lineup, const Bracket& bracket, Effort effort) {
    if (effort == Effort::sparing) {
        if (auto pairing = perfect_candidate(lineup, bracket)) return *pairing;
        for (const Reach reach : {Reach::bracket, Reach::next}) {
            const Solution solution = solve(lineup, bracket, reach);
            if (solution.optima && holds_below(lineup, bracket, solution))
                return read_off(solution);
        }
    }
    const Solution solution = solve(lineup, bracket, Reach::whole);
    REFEREE_ASSERT(solution.optima != nullptr);
    return read_off(solution);
}

}  // namespace referee::pairing
