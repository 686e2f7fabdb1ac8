#include "referee/contest/rating/pair_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/base/assertion.h"

namespace referee::rating {
namespace {

// Before any match strengths are thought to be spread by so much; it only keeps them finite where
// somebody won or lost everything.
constexpr double strength_spread = 2.0;
constexpr double own_weight = 1 / (strength_spread * strength_spread);
constexpr double slope_least = 1e-3;  // of a share between players who are worlds apart
constexpr int fits_most = 6;
constexpr double deviation_small = 1e-3;
constexpr int steps_most = 12;
constexpr double step_largest = 1.0;
constexpr double step_small = 1e-4;  // far below the error of any strength
// A step that is not so much smaller than the one before was taken by old information.
constexpr double step_shrinks = 0.3;
// What is thought of the scatter at first, as so many matches of a pair would tell.
constexpr double scatter_at_first = 1;
constexpr double scatter_matches = 5;
constexpr double scatter_least = 0.02;
constexpr int deviation_rounds = 5;

}  // namespace

void PairModel::grow(std::size_t players) {
    REFEREE_ASSERT(players >= this->players());
    strengths_.resize(players, 0);
    here_.resize(players, true);
    played_.assign(players, 0);
    for (const auto& pair : pairs_) {
        played_[pair.first] += pair.matches;
        played_[pair.second] += pair.matches;
    }
    index_.assign(players * players, 0);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto number = static_cast<std::uint32_t>(k + 1);
        index_[at(pairs_[k].first, pairs_[k].second)] = number;
        index_[at(pairs_[k].second, pairs_[k].first)] = number;
    }
    way_ = {};
    std::vector<double> covariance(players * players, 0);
    for (std::size_t each = 0; each < players; ++each) covariance[at(each, each)] = 1 / own_weight;
    known_ = work_out(std::move(covariance));
}

const PairModel::Pair* PairModel::met(std::size_t a, std::size_t b) const {
    const auto number = index_[at(a, b)];
    return number == 0 ? nullptr : &pairs_[number - 1];
}

double PairModel::matches(std::size_t a, std::size_t b) const {
    const auto* pair = met(a, b);
    return pair == nullptr ? 0 : pair->matches;
}

PairModel::Pair& PairModel::pair_of(std::size_t a, std::size_t b) {
    auto& number = index_[at(a, b)];
    if (number == 0) {
        auto& pair = pairs_.emplace_back();
        pair.first = static_cast<std::uint32_t>(std::max(a, b));
        pair.second = static_cast<std::uint32_t>(std::min(a, b));
        number = index_[at(b, a)] = static_cast<std::uint32_t>(pairs_.size());
    }
    return pairs_[number - 1];
}

void PairModel::add(std::size_t first, std::size_t second, double share) {
    REFEREE_ASSERT(first != second && first < players() && second < players());
    const double from_half = share - 0.5;
    auto& pair = pair_of(first, second);
    ++pair.matches;
    ++played_[first];
    ++played_[second];
    pair.share += pair.first == first ? share : 1 - share;
    pair.squares += from_half * from_half;
    pair.settled = false;
}

void PairModel::settle(std::size_t a, std::size_t b) {
    REFEREE_ASSERT(matches(a, b) > 0);
    pair_of(a, b).settled = true;
}

void PairModel::forget(std::size_t player) {
    std::erase_if(pairs_,
                  [&](const auto& pair) { return pair.first == player || pair.second == player; });
    grow(players());
}

void PairModel::set_here(std::size_t player, bool here) {
    here_[player] = here;
}

PairModel::Expected PairModel::expected(std::size_t a, std::size_t b) const {
    const double share = 1 / (1 + std::exp(strengths_[b] - strengths_[a]));
    return {share, std::max(share * (1 - share), slope_least)};
}

PairModel::Own PairModel::own(const Pair* met, double slope) const {
    if (met == nullptr) return {0, deviation_, slope};
    if (met->settled) return {};
    const double says = met->matches * slope / scatter_ * deviation_;
    return {says / (1 + says), deviation_ / (1 + says), slope};
}

// What the errors of two shares have in common by the strengths, and by their own pair: what that
// brings has the opposite sign in the two.
double PairModel::variance(std::size_t a, std::size_t b) const {
    const auto& known = *known_;
    const double common = dot(&known.along[at(a, 0)], &known.reach[at(b, 0)], players());
    const auto of_pair = own(met(a, b), expected(a, b).slope);
    const double shared =
        known.here[a] && known.here[b]
            ? of_pair.slope * of_pair.slope * of_pair.variance / (known.others[a] * known.others[b])
            : 0;
    return known.variances[a] + known.variances[b] - 2 * common + 2 * shared;
}

double PairModel::together(std::size_t a, std::size_t b, std::size_t first, std::size_t second,
                           const Own& own) const {
    const auto& known = *known_;
    const double strengths = known.along[at(a, first)] - known.along[at(a, second)] -
                             known.along[at(b, first)] + known.along[at(b, second)];
    // How much the pair's d counts in the two means, and with which sign.
    double counts = 0;
    if (known.here[second])
        counts += (first == a ? 1 / known.others[a] : 0) - (first == b ? 1 / known.others[b] : 0);
    if (known.here[first])
        counts += (second == b ? 1 / known.others[b] : 0) - (second == a ? 1 / known.others[a] : 0);
    return (1 - own.weight) * strengths + counts * own.slope * own.variance;
}

double PairModel::gain(std::size_t a, std::size_t b, std::size_t first, std::size_t second) const {
    const auto* pair = met(first, second);
    if (pair != nullptr && pair->settled) return 0;
    const double slope = expected(first, second).slope;
    const auto of_pair = own(pair, slope);
    const double with = together(a, b, first, second, of_pair);
    const double left = 1 - of_pair.weight;
    const auto& covariance = known_->covariance;
    const double difference = covariance[at(first, first)] + covariance[at(second, second)] -
                              2 * covariance[at(first, second)];
    return with * with / (left * left * difference + of_pair.variance + scatter_ / slope);
}

void PairModel::fit() {
    for (int count = 0; count < fits_most; ++count) {
        const double before = deviation_;
        walk();
        learn_scatter();
        learn_deviation();
        if (std::abs(deviation_ - before) < deviation_small) break;
    }
    way_ = information();
    step(pull());
    known_ = work_out(way_.inverse());
}

void PairModel::expect() {
    expected_.resize(pairs_.size());
    for (std::size_t k = 0; k < pairs_.size(); ++k)
        expected_[k] = expected(pairs_[k].first, pairs_[k].second);
}

// How a pair's shares scatter around their own mean says nothing of strength or deviations.
void PairModel::learn_scatter() {
    double seen = scatter_at_first * scatter_matches / 4;
    double of_games = scatter_matches / 4;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto& pair = pairs_[k];
        if (pair.matches < 2) continue;
        const double from_half = pair.share - pair.matches / 2;
        seen += pair.squares - from_half * from_half / pair.matches;
        of_games += expected_[k].slope * (pair.matches - 1);
    }
    scatter_ = std::clamp(seen / of_games, scatter_least, 1.0);
}

// By moments: how much further the pairs' sums are from what the strengths say than scatter takes
// them, each pair weighed by how much it tells of that. The strengths were fitted to the same sums,
// which makes these look nearer than they are.
void PairModel::learn_deviation() {
    const auto pairs = static_cast<double>(pairs_.size());
    const double fitted = static_cast<double>(players()) - 1;
    const double nearer = std::max(1.0, pairs - fitted) / std::max(1.0, pairs);
    for (int count = 0; count < deviation_rounds; ++count) {
        double beyond = 0;
        double of_one = 0;
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            const auto& pair = pairs_[k];
            const double by_chance = pair.matches * expected_[k].slope * scatter_;
            const double off = pair.share - pair.matches * expected_[k].share;
            const double says = pair.matches * expected_[k].slope / scatter_;
            const double trust = 1 / ((1 + says * deviation_) * (1 + says * deviation_));
            beyond += says * trust * (off * off / by_chance / nearer - 1);
            of_one += says * says * trust;
        }
        if (of_one == 0) return;
        deviation_ = std::max(0.0, beyond / of_one);
    }
}

double PairModel::tells(std::size_t number) const {
    const double says = pairs_[number].matches * expected_[number].slope / scatter_;
    return says / (1 + says * deviation_);
}

// What the pairs' sums pull each strength by.
std::vector<double> PairModel::pull() const {
    std::vector<double> pull;
    pull.reserve(players());
    for (const double strength : strengths_) pull.push_back(-own_weight * strength);
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto& pair = pairs_[k];
        const double off = pair.share - pair.matches * expected_[k].share;
        const double towards = tells(k) * off / (pair.matches * expected_[k].slope);
        pull[pair.first] += towards;
        pull[pair.second] -= towards;
    }
    return pull;
}

Triangle PairModel::information() const {
    std::vector<double> matrix(players() * players(), 0);
    for (std::size_t each = 0; each < players(); ++each) matrix[at(each, each)] = own_weight;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const auto& pair = pairs_[k];
        const double told = tells(k);
        matrix[at(pair.first, pair.first)] += told;
        matrix[at(pair.second, pair.second)] += told;
        matrix[at(pair.first, pair.second)] -= told;
    }
    return {std::move(matrix), players()};
}

// Returns how far the furthest went.
double PairModel::step(const std::vector<double>& towards) {
    const auto steps = way_.solved(towards);
    double largest = 0;
    for (std::size_t i = 0; i < players(); ++i) {
        largest = std::max(largest, std::abs(steps[i]));
        strengths_[i] += std::clamp(steps[i], -step_largest, step_largest);
    }
    expect();
    return largest;
}

// The information changes little from one fit to the next, and to factor it takes far longer than a
// step: old information is as good a guide as long as the steps become small fast.
void PairModel::walk() {
    expect();
    if (way_.size() != players()) way_ = information();
    double before = step(pull());
    for (int count = 1; count < steps_most && before > step_small; ++count) {
        const double went = step(pull());
        if (went > step_shrinks * before && went > step_small) way_ = information();
        before = went;
    }
}

std::shared_ptr<const PairModel::Known> PairModel::work_out(std::vector<double> covariance) const {
    auto known = std::make_shared<Known>();
    known->covariance = std::move(covariance);
    work_out_shares(*known);
    known->along = multiplied(known->reach, known->covariance, players());
    for (std::size_t a = 0; a < players(); ++a)
        known->variances[a] += dot(&known->along[at(a, 0)], &known->reach[at(a, 0)], players());
    return known;
}

// A share is the mean over all who are here of what the pair's d comes to; its error follows from
// what is unknown of each pair, and from the errors of the strengths.
void PairModel::work_out_shares(Known& known) const {
    const auto n = players();
    const auto here = static_cast<double>(std::ranges::count(here_, true));
    known.here = here_;
    known.shares.assign(n, 0);
    known.variances.assign(n, 0);
    known.reach.assign(n * n, 0);
    for (std::size_t a = 0; a < n; ++a)
        known.others.push_back(std::max(1.0, here_[a] ? here - 1 : here));
    for (std::size_t a = 0; a < n; ++a) {
        double* reach = &known.reach[at(a, 0)];
        for (std::size_t b = 0; b < a; ++b) {
            const auto by_strength = expected(a, b);
            const auto* pair = met(a, b);
            const auto of_pair = own(pair, by_strength.slope);
            double got = by_strength.share;
            // The pair's own results, as far as they are believed.
            if (pair != nullptr) {
                const double mean = pair->share / pair->matches;
                got = pair->settled ? mean : got + of_pair.weight * (mean - got);
            }
            const double moves = of_pair.slope * (1 - of_pair.weight);
            const double unknown = of_pair.slope * of_pair.slope * of_pair.variance;
            if (here_[b]) {
                known.shares[a] += got / known.others[a];
                known.variances[a] += unknown / (known.others[a] * known.others[a]);
                reach[a] += moves / known.others[a];
                reach[b] -= moves / known.others[a];
            }
            if (here_[a]) {
                known.shares[b] += (1 - got) / known.others[b];
                known.variances[b] += unknown / (known.others[b] * known.others[b]);
                known.reach[at(b, b)] += moves / known.others[b];
                known.reach[at(b, a)] -= moves / known.others[b];
            }
        }
    }
}

}  // namespace referee::rating
