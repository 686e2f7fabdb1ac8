#include "referee/contests/tournament/adaptive_state.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "protocol/base/assertion.h"
#include "referee/contests/rating/sequential_bound.h"
#include "referee/contests/tournament/match.h"

namespace referee::tournament {
namespace {

constexpr double elo_of_tenfold = 400;
constexpr double variance_least = 1e-12;  // where everything is known
// Two whose last matches only repeated earlier games have no more to tell of each other.
constexpr int repeats_of_pair_most = 2;

std::vector<Entrant> best_first(const std::vector<double>& shares) {
    std::vector<Entrant> order(shares.size());
    std::iota(order.begin(), order.end(), Entrant{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Entrant a, Entrant b) { return shares[a] > shares[b]; });
    return order;
}

std::vector<std::size_t> places_in(const std::vector<Entrant>& order) {
    std::vector<std::size_t> places(order.size());
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = place;
    return places;
}

}  // namespace

double elo_of_logistic(double difference) {
    return difference * elo_of_tenfold / std::numbers::ln10;
}

AdaptiveState::AdaptiveState(const AdaptiveOptions& options, std::size_t entrants)
    : options_(options), model_(entrants) {
    look();
}

void AdaptiveState::record(const MatchResult& result) {
    REFEREE_ASSERT(result.seats.size() == 2);
    if (result.forfeit()) return;
    const auto pair = std::minmax(result.seats[0], result.seats[1]);
    auto& repeats = repeats_[pair];
    if (evidence_.is_new(result)) {
        repeats = 0;
        model_.add(result.seats[0], result.seats[1], share_of_games(result, 0));
    } else if (++repeats >= repeats_of_pair_most && model_.matches(pair.first, pair.second) > 0) {
        model_.settle(pair.first, pair.second);
    }
}

bool AdaptiveState::settled(Entrant a, Entrant b) const {
    const auto found = repeats_.find(std::minmax(a, b));
    return found != repeats_.end() && found->second >= repeats_of_pair_most;
}

double AdaptiveState::alpha() const {
    const auto n = static_cast<double>(entrants());
    const auto top = static_cast<double>(options_.top);
    double pairs = n - 1;
    if (options_.question == Question::top) pairs = top * (n - top);
    if (options_.question == Question::order) pairs = n * (n - 1) / 2;
    return (1 - options_.confidence) / std::max(pairs, 1.0);
}

bool AdaptiveState::is_asked(std::size_t place, std::size_t below, Entrant at_place,
                             Entrant at_below) const {
    switch (options_.question) {
        case Question::top:
            return place < options_.top && below >= options_.top;
        case Question::order:
            return true;
        case Question::better_than:
            return at_place == options_.better_than || at_below == options_.better_than;
    }
    return false;
}

void AdaptiveState::look() {
    model_.fit();
    std::vector<double> shares;
    for (Entrant each = 0; each < entrants(); ++each) shares.push_back(model_.share(each));
    order_ = best_first(shares);
    asked_.clear();
    unsure_ = 0;
    const double wrong = alpha();
    for (std::size_t place = 0; place < order_.size(); ++place) {
        for (std::size_t below = place + 1; below < order_.size(); ++below) {
            const auto above = order_[place];
            const auto weaker = order_[below];
            if (!is_asked(place, below, above, weaker)) continue;
            const double ahead = shares[above] - shares[weaker] + options_.margin;
            const double variance = std::max(model_.variance(above, weaker), variance_least);
            const bool told = ahead * ahead >= variance * rating::sequential_bound(variance, wrong);
            asked_.push_back({above, weaker, told});
            unsure_ += told ? 0 : 1;
        }
    }
}

std::optional<AskedPair> AdaptiveState::disputed(const std::vector<double>& one,
                                                 const std::vector<double>& other,
                                                 rating::Random& lots) const {
    const auto first = best_first(one);
    const auto second = places_in(best_first(other));
    std::vector<AskedPair> found;
    const auto add = [&](std::size_t place, std::size_t below) {
        if (second[first[place]] < second[first[below]]) return;
        found.push_back({first[place], first[below], false});
    };
    if (options_.question == Question::order) {
        for (std::size_t place = 0; place + 1 < first.size(); ++place) add(place, place + 1);
    } else if (options_.question == Question::better_than) {
        const auto border = places_in(first)[options_.better_than];
        for (std::size_t place = 0; place < first.size(); ++place) {
            if (place != border) add(std::min(place, border), std::max(place, border));
        }
    } else {
        // Who is among the first by one and not by the other has changed places with somebody.
        std::vector<std::size_t> in;
        std::vector<std::size_t> out;
        for (std::size_t place = 0; place < first.size(); ++place) {
            const bool then = second[first[place]] < options_.top;
            if (place < options_.top && !then) in.push_back(place);
            if (place >= options_.top && then) out.push_back(place);
        }
        for (const auto place : in)
            for (const auto below : out) add(place, below);
    }
    if (found.empty()) return std::nullopt;
    return found[lots.below(found.size())];
}

AdaptiveState adaptive_state(const AdaptiveOptions& options, std::size_t entrants,
                             std::span<const MatchResult> results) {
    AdaptiveState state(options, entrants);
    for (const auto& result : results) state.record(result);
    state.look();
    return state;
}

}  // namespace referee::tournament
