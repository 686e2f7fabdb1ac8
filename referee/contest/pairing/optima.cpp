#include "referee/contest/pairing/optima.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/cover.h"

namespace referee::pairing {
namespace {

constexpr int widest_difference = 2;  // a colour difference beyond it is against C10

void add(Terms& terms, BitLayout::Place place, std::uint64_t value) {
    if (place.used && value != 0) terms.push_back({value, place.shift});
}

std::uint64_t count(int value) {
    return static_cast<std::uint64_t>(value);
}

// The one of the pair who does not get the colour that both want.
const Profile& disappointed(const Profile& higher, const Profile& lower, Colour initial) {
    return colour_of_higher(higher, lower, initial) == *higher.preference.colour ? lower : higher;
}

class Criteria final : public Valuation {
 public:
    // The least significant criteria are laid out first.
    Criteria(const Lineup& lineup, const Scope& scope) : lineup_(lineup), scope_(scope) {
        lay_out_look_back_scores(before_, &Profile::floated_before);
        lay_out_look_back_scores(last_, &Profile::floated_last);
        lay_out_look_back(before_, &Profile::floated_before);
        lay_out_look_back(last_, &Profile::floated_last);
        lay_out_colours();
        lay_out_bye();
        lay_out_next();
        lay_out_pairs();
    }

    std::size_t bits() const override { return layout_.bits(); }

    void terms(int u, int v, Terms& terms) const override {
        const Role low = scope_.member(v).role;
        if (low == Role::resident) {
            bracket_terms(u, v, terms);
        } else if (low == Role::bye) {
            add(terms, bye_covered_, 1);
            if (scope_.in_bracket(u))
                add(terms, bye_games_, count(most_unplayed_ - profile(u).unplayed));
        } else if (low == Role::next) {
            add(terms, next_pairs_, 1);
            if (scope_.in_bracket(u) && !next_scores_.empty())
                add(terms, next_scores_[group_of(u)], 1);
        }
    }

 private:
    using Place = BitLayout::Place;
    using Floated = Float Profile::*;
    // One round that is looked back at: the previous one, or the one before.
    struct LookBack {
        Place floaters;                      // C14, C16
        Place opponents;                     // C15, C17
        std::vector<Place> floater_scores;   // C18, C20; by score group of the moved-down
        std::vector<Place> opponent_scores;  // C19, C21
    };

    const Profile& profile(int v) const { return lineup_.player(scope_.member(v).player); }
    std::size_t group_of(int v) const { return at(scope_.member(v).score_group); }
    // How many from vertex `first` on, of the bracket, floated so.
    int floaters(int first, Floated floated, Float how) const {
        int found = 0;
        for (int v = first; v < scope_.bracket; ++v) found += profile(v).*floated == how ? 1 : 0;
        return found;
    }

    // How many of the bracket there are in each of the first score groups; and in each of those of
    // who moved down.
    std::vector<int> group_sizes(std::size_t groups) const {
        std::vector<int> sizes(groups, 0);
        for (int v = 0; v < scope_.bracket; ++v)
            if (group_of(v) < groups) ++sizes[group_of(v)];
        return sizes;
    }
    std::vector<int> moved_down_sizes() const {
        return group_sizes(scope_.moved_down > 0 ? group_of(scope_.moved_down - 1) + 1 : 0);
    }
    std::vector<Place> places_of(const std::vector<int>& greatest) {
        std::vector<Place> places(greatest.size());
        for (std::size_t i = greatest.size(); i-- > 0;)
            places[i] = layout_.place(count(greatest[i]));
        return places;
    }

    void lay_out_look_back_scores(LookBack& back, Floated floated) {
        auto sizes = moved_down_sizes();
        std::vector<int> down(sizes.size(), 0);
        for (int v = 0; v < scope_.moved_down; ++v)
            if (profile(v).*floated == Float::down) ++down[group_of(v)];
        if (floaters(scope_.moved_down, floated, Float::up) == 0) sizes.assign(sizes.size(), 0);
        back.opponent_scores = places_of(sizes);
        back.floater_scores = places_of(down);
    }

    void lay_out_look_back(LookBack& back, Floated floated) {
        const bool any_up = floaters(scope_.moved_down, floated, Float::up) > 0;
        back.opponents = layout_.place(any_up ? count(scope_.moved_down) : 0);
        back.floaters = layout_.place(count(floaters(scope_.moved_down, floated, Float::down)));
    }

    void lay_out_colours() {
        if (!lineup_.field.colours) return;
        const std::uint64_t pairs = count(scope_.bracket / 2);
        strong_preferences_ = layout_.place(pairs);
        preferences_ = layout_.place(pairs);
        bool topscorers = false;
        for (int v = 0; v < scope_.bracket; ++v) topscorers = topscorers || profile(v).topscorer;
        within_repetition_ = layout_.place(topscorers ? pairs : 0);
        within_difference_ = layout_.place(topscorers ? pairs : 0);
    }

    void lay_out_bye() {
        if (!scope_.single_bye) return;
        for (int v = 0; v < scope_.bracket; ++v)
            most_unplayed_ = std::max(most_unplayed_, profile(v).unplayed);
        bye_games_ = layout_.place(count(most_unplayed_));
    }

    void lay_out_next() {
        if (scope_.reach == Reach::bracket) return;
        next_scores_ = places_of(group_sizes(at(scope_.score_groups)));
        next_pairs_ = layout_.place(count(scope_.size() / 2));
    }

    void lay_out_pairs() {
        paired_scores_ = places_of(moved_down_sizes());
        if (scope_.reach == Reach::bracket) return;  // the number of slots says it all
        pairs_ = layout_.place(count(scope_.bracket / 2));
        if (scope_.reach == Reach::next) bye_covered_ = layout_.place(1);
    }

    void bracket_terms(int u, int v, Terms& terms) const {
        add(terms, pairs_, 1);
        if (scope_.member(u).role == Role::moved_down) add(terms, paired_scores_[group_of(u)], 1);
        colour_terms(profile(u), profile(v), terms);
        look_back_terms(u, v, last_, &Profile::floated_last, terms);
        look_back_terms(u, v, before_, &Profile::floated_before, terms);
    }

    void colour_terms(const Profile& a, const Profile& b, Terms& terms) const {
        const bool clash = prefer_the_same(a, b);
        const Strength weaker = std::min(a.preference.strength, b.preference.strength);
        if (within_difference_.used) {
            bool difference_kept = true;
            bool repetition_kept = true;
            if (clash && weaker == Strength::absolute) {
                const Profile& unlucky = disappointed(a, b, lineup_.field.initial_colour);
                difference_kept = std::abs(unlucky.colour_difference) < widest_difference;
                repetition_kept = !unlucky.repeated_colour ||
                                  unlucky.colours.back() == *unlucky.preference.colour;
            }
            add(terms, within_difference_, difference_kept ? 1 : 0);
            add(terms, within_repetition_, repetition_kept ? 1 : 0);
        }
        add(terms, preferences_, clash ? 0 : 1);
        add(terms, strong_preferences_, clash && weaker >= Strength::strong ? 0 : 1);
    }

    void look_back_terms(int u, int v, const LookBack& back, Floated floated, Terms& terms) const {
        const bool opponent_kept = profile(v).*floated != Float::up;
        const bool down = profile(u).*floated == Float::down;
        std::uint64_t residents = profile(v).*floated == Float::down ? 1 : 0;
        if (scope_.member(u).role == Role::moved_down) {
            add(terms, back.opponents, opponent_kept ? 1 : 0);
            add(terms, back.floater_scores[group_of(u)], down ? 1 : 0);
            add(terms, back.opponent_scores[group_of(u)], opponent_kept ? 1 : 0);
        } else if (down) {
            ++residents;
        }
        add(terms, back.floaters, residents);
    }

    const Lineup& lineup_;
    const Scope& scope_;
    BitLayout layout_;
    Place bye_covered_;
    Place pairs_;                       // C6
    std::vector<Place> paired_scores_;  // C7
    Place next_pairs_;                  // C8, as C6 of the next bracket
    std::vector<Place> next_scores_;    // C8, as C7 of the next bracket
    Place bye_games_;                   // C9
    Place within_difference_;           // C10
    Place within_repetition_;           // C11
    Place preferences_;                 // C12
    Place strong_preferences_;          // C13
    LookBack last_;
    LookBack before_;
    int most_unplayed_ = 0;
};

// The optima as the perfect matchings of the graph of tight edges. Right as long as no blossom
// has a dual of its own.
class TightOptima final : public Optima {
 public:
    explicit TightOptima(Graph tight) : tight_(std::move(tight)), cover_(tight_) {}
    TightOptima(const TightOptima& other) : tight_(other.tight_), cover_(tight_) {}
    TightOptima& operator=(const TightOptima&) = delete;

    void match(int u, int v) { cover_.match(u, v); }

    int mate(int v) const override { return cover_.mate(v); }
    bool has_edge(int u, int v) const override { return tight_.has(u, v); }
    bool edges_tell_all() const override { return true; }

    void prefer(int v, const std::vector<int>& rank) override {
        const int old = mate(v);
        const int best = best_neighbour(v, old, rank);
        if (best != old) {
            cover_.expose(best);
            cover_.match(v, best);
        } else {
            cover_.match(v, old);
        }
        const VertexSet row = tight_.row(v);
        row.any_of([&](int u) {
            if (rank[at(u)] != rank[at(best)]) tight_.remove(u, v);
            return false;
        });
    }

    std::unique_ptr<Optima> within(const Graph& mask) const override {
        auto narrowed = std::make_unique<TightOptima>(*this);
        narrowed->tight_ &= mask;
        for (int v = 0; v < tight_.vertices(); ++v)
            if (v < mate(v) && mask.has(v, mate(v))) narrowed->match(v, mate(v));
        if (narrowed->cover_.maximise() != 0) return nullptr;
        return narrowed;
    }

 private:
    // Exposes v and its old mate, and finds the neighbour of the least rank that could be exposed
    // instead of the latter.
    int best_neighbour(int v, int old, const std::vector<int>& rank) {
        const auto least = [&](const VertexSet& among) {
            int best = old;
            tight_.row(v).any_of([&](int u) {
                if (among.has(u) && rank[at(u)] < rank[at(best)]) best = u;
                return false;
            });
            return best;
        };
        const int wanted = least(tight_.row(v));
        cover_.unmatch(v);
        if (rank[at(wanted)] == rank[at(old)]) return old;
        return least(cover_.exposable(old, v, wanted));
    }

    Graph tight_;
    Cover cover_;
};

// The optima as a solved weighted matching that is solved anew for each wish.
template <typename W>
class WeightedOptima final : public Optima {
 public:
    explicit WeightedOptima(Matching<W> matching) : matching_(std::move(matching)) {}

    int mate(int v) const override { return matching_.mate(v); }
    bool has_edge(int u, int v) const override { return matching_.has_edge(u, v); }
    bool edges_tell_all() const override { return false; }
    std::unique_ptr<Optima> within(const Graph&) const override { return nullptr; }

    void prefer(int v, const std::vector<int>& rank) override {
        const int n = matching_.vertices();
        int worst = std::numeric_limits<int>::min();
        for (int u = 0; u < n; ++u)
            if (has_edge(u, v)) worst = std::max(worst, rank[at(u)]);
        std::vector<W> bonus(at(n));
        for (int u = 0; u < n; ++u)
            if (has_edge(u, v))
                bonus[at(u)].add(static_cast<std::uint64_t>(worst - rank[at(u)] + 1), 0);
        matching_.add_bonus(v, bonus);
        const int found = mate(v);
        if (found != alone) matching_.require_mate(v);
        std::vector<bool> keep(at(n), false);
        for (int u = 0; u < n; ++u) keep[at(u)] = found != alone && rank[at(u)] == rank[at(found)];
        matching_.keep_edges(v, keep);
    }

 private:
    Matching<W> matching_;
};

template <std::size_t Words>
std::unique_ptr<Optima> solved(const Graph& edges, const Valuation& valuation, Coverage coverage,
                               std::size_t wish_bits) {
    using W = Weight<Words>;
    const int n = edges.vertices();
    Matching<W> matching(n, coverage);
    edges.for_each_edge([&](int u, int v) {
        Terms terms;
        valuation.terms(u, v, terms);
        W weight;
        for (const Term& term : terms) weight.add(term.value, term.shift + wish_bits);
        matching.set_edge(u, v, weight);
    });
    if (!matching.solve()) return nullptr;
    if (coverage == Coverage::partial || matching.has_heavy_blossom())
        return std::make_unique<WeightedOptima<W>>(std::move(matching));

    Graph tight(n);
    edges.for_each_edge([&](int u, int v) {
        if (matching.is_tight(u, v)) tight.add(u, v);
    });
    auto optima = std::make_unique<TightOptima>(std::move(tight));
    for (int v = 0; v < n; ++v)
        if (v < matching.mate(v)) optima->match(v, matching.mate(v));
    return optima;
}

}  // namespace

BitLayout::Place BitLayout::place(std::uint64_t greatest) {
    const Place place{bits_, greatest != 0};
    bits_ += static_cast<std::size_t>(std::bit_width(greatest));
    return place;
}

std::unique_ptr<Valuation> criteria_of(const Lineup& lineup, const Scope& scope) {
    return std::make_unique<Criteria>(lineup, scope);
}

std::unique_ptr<Optima> optima_of(const Graph& edges, const Valuation& valuation,
                                  Coverage coverage) {
    const auto n = static_cast<std::size_t>(edges.vertices());
    const auto size_bits = static_cast<std::size_t>(std::bit_width(n));
    const std::size_t wish_bits = 2 * size_bits;
    // Duals can grow to the worth of a long alternating path; weights are taken four times.
    const std::size_t spare_bits = 2 * size_bits + 4;
    const std::size_t bits = wish_bits + valuation.bits() + spare_bits;
    if (bits <= Weight<1>::bits) return solved<1>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<2>::bits) return solved<2>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<4>::bits) return solved<4>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<8>::bits) return solved<8>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<16>::bits) return solved<16>(edges, valuation, coverage, wish_bits);
    REFEREE_ASSERT(bits <= Weight<64>::bits);
    return solved<64>(edges, valuation, coverage, wish_bits);
}

}  // namespace referee::pairing
