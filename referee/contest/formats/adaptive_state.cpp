#include "referee/contest/formats/adaptive.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/contest/rating/sprt.h"

namespace referee::formats {
namespace {

constexpr double elo_of_tenfold = 400;
constexpr double variance_least = 1e-12;  // where everything is known
// A difference of shares that no number of matches in a lifetime would tell from none.
constexpr double ahead_least = 1e-5;
constexpr int halvings = 60;
// Two whose last matches only repeated earlier games have no more to tell of each other.
constexpr int repeats_of_pair_most = 2;

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
    : options_(options), model_(entrants), players_(entrants) {
    look();
}

void AdaptiveState::enter() {
    order_.push_back(players_.size());
    players_.emplace_back();
    model_.grow(players_.size());
}

void AdaptiveState::set_here(Entrant entrant, bool here) {
    players_[entrant].here = here;
    model_.set_here(entrant, here);
}

// Where another program plays in a bot's name, the one before is forgotten.
void AdaptiveState::note_programs(const MatchResult& result) {
    for (std::size_t seat = 0; seat < result.programs.size(); ++seat) {
        const auto& program = result.programs[seat];
        const auto entrant = result.seats[seat];
        auto& player = players_[entrant];
        if (program.empty() || program == player.program) continue;
        const bool is_new = !player.program.empty();
        player.program = program;
        if (!is_new) continue;
        ++player.programs;
        model_.forget(entrant);
        std::erase_if(repeats_, [entrant](const auto& repeated) {
            return repeated.first.first == entrant || repeated.first.second == entrant;
        });
    }
}

// The same games by another program are no repetition: they tell of that program.
bool AdaptiveState::repeats(const MatchResult& result) {
    std::set<std::string> fingerprints;
    for (const auto& game : result.counted) fingerprints.insert(game.fingerprint.text());
    for (const auto entrant : result.seats) {
        const auto programs = players_[entrant].programs;
        if (programs > 0 && !fingerprints.empty())
            fingerprints.insert(fmt::format("{}:{}", entrant, programs));
    }
    return !new_games_.is_new(fingerprints);
}

void AdaptiveState::record(const MatchResult& result) {
    REFEREE_ASSERT(result.seats.size() == 2);
    if (result.forfeit()) return;
    note_programs(result);
    if (result.programs_mixed) return;
    const auto pair = std::minmax(result.seats[0], result.seats[1]);
    auto& repeated = repeats_[pair];
    if (!repeats(result)) {
        repeated = 0;
        model_.add(result.seats[0], result.seats[1], share_of_games(result, 0));
    } else if (++repeated >= repeats_of_pair_most && model_.matches(pair.first, pair.second) > 0) {
        model_.settle(pair.first, pair.second);
    }
}

bool AdaptiveState::settled(Entrant a, Entrant b) const {
    const auto* repeated = base::find_in(repeats_, std::minmax(a, b));
    return repeated != nullptr && *repeated >= repeats_of_pair_most;
}

double AdaptiveState::alpha() const {
    const auto n = static_cast<double>(entrants());
    const auto top = static_cast<double>(options_.top);
    double pairs = n - 1;
    if (options_.question == Question::top) pairs = top * (n - top);
    if (options_.question == Question::order) pairs = n * (n - 1) / 2;
    return (1 - options_.confidence) / std::max(pairs, 1.0);
}

bool AdaptiveState::in_question(Entrant entrant) const {
    return players_[entrant].here ||
           (options_.question == Question::better_than && entrant == options_.better_than);
}

bool AdaptiveState::answered() const {
    if (players_.empty()) return false;
    return unsure_ == 0 && (!asked_.empty() || std::ranges::all_of(players_, &Player::here));
}

std::vector<Entrant> AdaptiveState::best_first(const std::vector<double>& shares) const {
    auto order = numbers_of(shares.size());
    std::ranges::stable_sort(order, [&](Entrant a, Entrant b) {
        if (in_question(a) != in_question(b)) return in_question(a);
        return shares[a] > shares[b];
    });
    return order;
}

bool AdaptiveState::is_asked(std::size_t place, std::size_t below, Entrant at_place,
                             Entrant at_below) const {
    if (!in_question(at_place) || !in_question(at_below)) return false;
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

// For each pair that isn't told apart: its error must become so small that what it is ahead by is
// beyond the bound, and each match of the two makes it smaller. Matches against one of several are
// counted once, for the pair that needs most.
std::optional<double> AdaptiveState::matches_missing() const {
    if (answered()) return std::nullopt;
    std::map<Entrant, double> missing;
    for (const auto& pair : asked_) {
        if (pair.told) continue;
        const double ahead = model_.share(pair.above) - model_.share(pair.below) + options_.margin;
        const double variance = model_.variance(pair.above, pair.below);
        const double gain = model_.gain(pair.above, pair.below, pair.above, pair.below);
        if (ahead <= ahead_least || gain <= 0 || gain >= variance) return std::nullopt;
        double low = variance_least;
        double high = variance;
        for (int count = 0; count < halvings; ++count) {
            const double middle = std::sqrt(low * high);
            const bool tells = ahead * ahead >= middle * rating::sequential_bound(middle, alpha());
            (tells ? low : high) = middle;
        }
        const double of_match = gain / (variance * (variance - gain));
        auto& most = missing[pair.below];
        most = std::max(most, (1 / low - 1 / variance) / of_match);
    }
    return std::accumulate(missing.begin(), missing.end(), 0.0,
                           [](double sum, const auto& one) { return sum + one.second; });
}

// The first `top` of a field, in no order: much quicker than to sort it.
std::vector<bool> AdaptiveState::first_of(const std::vector<double>& shares) const {
    auto order = numbers_of(shares.size());
    const auto top = std::min(options_.top, order.size());
    const auto border = order.begin() + static_cast<std::ptrdiff_t>(top);
    std::nth_element(order.begin(), border, order.end(), [&](Entrant a, Entrant b) {
        if (in_question(a) != in_question(b)) return in_question(a);
        return shares[a] != shares[b] ? shares[a] > shares[b] : a < b;
    });
    std::vector<bool> first(shares.size(), false);
    for (auto each = order.begin(); each != border; ++each) first[*each] = in_question(*each);
    return first;
}

// Who is among the first by one and not by the other has changed places with somebody.
std::vector<AskedPair> AdaptiveState::moved_across(const std::vector<double>& one,
                                                   const std::vector<double>& other) const {
    const auto first = first_of(one);
    const auto then = first_of(other);
    std::vector<AskedPair> found;
    for (Entrant in = 0; in < first.size(); ++in) {
        if (!first[in] || then[in]) continue;
        for (Entrant out = 0; out < first.size(); ++out)
            if (!first[out] && then[out]) found.push_back({in, out, false});
    }
    return found;
}

std::optional<AskedPair> AdaptiveState::disputed(const std::vector<double>& one,
                                                 const std::vector<double>& other,
                                                 rating::Random& lots) const {
    std::vector<AskedPair> found;
    if (options_.question == Question::top) {
        found = moved_across(one, other);
    } else {
        const auto first = best_first(one);
        const auto second = places_in(best_first(other));
        const auto add = [&](std::size_t place, std::size_t below) {
            if (second[first[place]] < second[first[below]]) return;
            if (!is_asked(place, below, first[place], first[below])) return;
            found.push_back({first[place], first[below], false});
        };
        const bool whole_order = options_.question == Question::order;
        for (std::size_t place = 1; whole_order && place < first.size(); ++place)
            add(place - 1, place);
        if (!whole_order && options_.better_than < entrants()) {
            const auto border = places_in(first)[options_.better_than];
            for (std::size_t place = 0; place < first.size(); ++place)
                if (place != border) add(std::min(place, border), std::max(place, border));
        }
    }
    if (found.empty()) return std::nullopt;
    return found[lots.below(found.size())];
}

AdaptiveState adaptive_state(const AdaptiveOptions& options, std::size_t entrants,
                             std::span<const MatchResult> results, std::span<const Entrant> gone) {
    AdaptiveState state(options, entrants);
    for (const auto& result : results) state.record(result);
    for (const auto entrant : gone) state.set_here(entrant, false);
    state.look();
    return state;
}

}  // namespace referee::formats
