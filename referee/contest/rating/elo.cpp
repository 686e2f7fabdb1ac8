#include "referee/contest/rating/elo.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/rating/rating_network.h"
#include "referee/contest/rating/triangle.h"

namespace referee::rating {
namespace {

constexpr double elo_of_unit = 400.0 / 2.302585092994046;  // of the logistic scale; 400 / ln 10
constexpr double normal_95 = 1.959963984540054;
constexpr double prior_matches = 1;  // drawn, against a player of rating 0
// A pair's own scatter is mixed with so many matches' worth of its group's scatter.
constexpr double borrowed_matches = 5;

double logistic(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

// What a match shows of a difference: the variance of a match without draws.
double information(double difference) {
    const double p = logistic(difference);
    return p * (1 - p);
}

// What two players brought in all their matches.
struct Sum {
    std::size_t a;
    std::size_t b;
    double matches = 0;
    double points = 0;   // of a
    double squares = 0;  // of a's shares
};

std::vector<Sum> summed(std::span<const PairResult> results) {
    // Shares are sorted before they are added: sums of doubles depend on the order.
    std::vector<std::tuple<std::size_t, std::size_t, double>> sorted;
    for (const auto& result : results) {
        REFEREE_ASSERT(result.first != result.second);
        const bool in_order = result.first < result.second;
        sorted.emplace_back(std::min(result.first, result.second),
                            std::max(result.first, result.second),
                            in_order ? result.share : 1 - result.share);
    }
    std::ranges::sort(sorted);
    std::vector<Sum> sums;
    for (const auto& [a, b, share] : sorted) {
        if (sums.empty() || sums.back().a != a || sums.back().b != b) sums.push_back({a, b});
        sums.back().matches += 1;
        sums.back().points += share;
        sums.back().squares += share * share;
    }
    return sums;
}

class Fit {
 public:
    Fit(std::size_t players, std::vector<Sum> sums, std::span<const Former> former)
        : sums_(std::move(sums)), former_(former), strength_(players, 0.0) {}

    // Newton's steps on the log likelihood, which has one summit; long steps are cut short.
    void climb() {
        constexpr int rounds_most = 100;
        constexpr double step_most = 2;
        constexpr double step_enough = 1e-10;
        for (int round = 0; round < rounds_most; ++round) {
            const auto step = curvature().solved(slope(), exactly);
            double longest = 0;
            for (const double s : step) longest = std::max(longest, std::abs(s));
            const double scale = longest > step_most ? step_most / longest : 1;
            for (std::size_t i = 0; i < step.size(); ++i) strength_[i] += scale * step[i];
            if (longest < step_enough) break;
        }
    }

    RatingNetwork curvature() const {
        return network(
            [this](const Sum& sum) { return sum.matches * information(difference(sum)); });
    }

    // The variance of the slope, from how the shares scatter around what was expected of them: less
    // than in matches without draws. A pair with few matches borrows from its whole group. The
    // match that everybody plays besides counts with its whole weight, though it was never played.
    // That makes up for the error that it causes: it draws ratings away from the truth, which tells
    // where somebody won everything. So does what former programs tell, for the same reason.
    RatingNetwork scatter(const ConnectedGroups& groups) const {
        const auto by_group = scatter_of(groups);
        return network([&](const Sum& sum) {
            const auto& group = by_group[groups.of[sum.a]];
            const double borrowed = group.ratio * information(difference(sum));
            const double mean =
                (group.correction * squared_error(sum) + borrowed_matches * borrowed) /
                (sum.matches + borrowed_matches);
            return sum.matches * mean;
        });
    }

    const std::vector<double>& strength() const { return strength_; }

 private:
    struct GroupScatter {
        double ratio = 1;       // to the scatter of matches without draws
        double correction = 1;  // what was fitted lies nearer to the results than the truth does
    };

    std::vector<GroupScatter> scatter_of(const ConnectedGroups& groups) const {
        constexpr double correction_most = 2;
        constexpr double one = 0.25;  // of a match without draws, added: a clean sheet scatters too
        std::vector<double> seen(groups.count, 0.0);
        std::vector<double> expected(groups.count, 0.0);
        std::vector<double> matches(groups.count, 0.0);
        std::vector<double> fitted(groups.count, -1.0);
        for (const auto group : groups.of) fitted[group] += 1;
        for (const auto& sum : sums_) {
            const auto group = groups.of[sum.a];
            seen[group] += squared_error(sum);
            expected[group] += sum.matches * information(difference(sum));
            matches[group] += sum.matches;
        }
        std::vector<GroupScatter> scatter(groups.count);
        for (std::size_t group = 0; group < groups.count; ++group) {
            if (matches[group] == 0) continue;
            const double free =
                std::max(matches[group] - fitted[group], matches[group] / correction_most);
            auto& its = scatter[group];
            its.correction = matches[group] / free;
            its.ratio = (its.correction * seen[group] + one) / (expected[group] + one);
        }
        return scatter;
    }

    // Of all pairs with such a weight each, and of what former programs tell.
    template <typename WeightOf>
    RatingNetwork network(const WeightOf& weight_of) const {
        std::vector<double> own;
        for (const double s : strength_) own.push_back(prior_matches * information(s));
        std::vector<RatedPair> pairs;
        pairs.reserve(sums_.size() + former_.size());
        for (const auto& sum : sums_) pairs.push_back({sum.a, sum.b, weight_of(sum)});
        for (const auto& one : former_)
            pairs.push_back(
                {one.player, one.of, former_worth_matches * information(difference(one))});
        return {std::move(own), std::move(pairs)};
    }

    double difference(const Former& one) const { return strength_[one.player] - strength_[one.of]; }
    double difference(const Sum& sum) const { return strength_[sum.a] - strength_[sum.b]; }

    double squared_error(const Sum& sum) const {
        const double p = logistic(difference(sum));
        return std::max(0.0, sum.squares - 2 * p * sum.points + sum.matches * p * p);
    }

    std::vector<double> slope() const {
        std::vector<double> slope;
        for (const double s : strength_) slope.push_back(prior_matches * (0.5 - logistic(s)));
        for (const auto& sum : sums_) {
            const double expected = sum.matches * logistic(difference(sum));
            slope[sum.a] += sum.points - expected;
            slope[sum.b] -= sum.points - expected;
        }
        for (const auto& one : former_) {
            const double pull = former_worth_matches * (0.5 - logistic(difference(one)));
            slope[one.player] += pull;
            slope[one.of] -= pull;
        }
        return slope;
    }

    std::vector<Sum> sums_;
    std::span<const Former> former_;
    std::vector<double> strength_;
};

// The groups, and who counts in the mean of one: all but former programs.
struct Grouped {
    ConnectedGroups groups;
    std::vector<double> weight;  // by player, 1 or 0
    std::vector<double> size;    // by group
};

Grouped grouped(std::size_t players, std::span<const PairResult> results,
                std::span<const Former> former) {
    std::vector<RatedPair> met;
    met.reserve(results.size() + former.size());
    for (const auto& result : results) met.push_back({result.first, result.second});
    for (const auto& one : former) met.push_back({one.player, one.of});
    Grouped grouped{groups_of(players, met), std::vector<double>(players, 1.0), {}};
    for (const auto& one : former) grouped.weight[one.player] = 0;
    grouped.size.assign(grouped.groups.count, 0.0);
    for (std::size_t i = 0; i < players; ++i)
        grouped.size[grouped.groups.of[i]] += grouped.weight[i];
    return grouped;
}

// Ratings against the mean of their group; a shift that a whole group has in common means nothing.
void centre(std::vector<double>& x, const Grouped& in) {
    std::vector<double> sum(in.groups.count, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) sum[in.groups.of[i]] += in.weight[i] * x[i];
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= sum[in.groups.of[i]] / in.size[in.groups.of[i]];
}

// What of the slope moves a player's centred rating, before the curvature is divided out.
std::vector<double> pull_of(std::size_t player, const Grouped& in) {
    std::vector<double> pull(in.weight.size(), 0.0);
    const auto group = in.groups.of[player];
    for (std::size_t i = 0; i < pull.size(); ++i) {
        if (in.groups.of[i] == group) pull[i] = -in.weight[i] / in.size[group];
    }
    pull[player] += 1;
    return pull;
}

// The covariance of the centred ratings, from the scatter of the slope.
std::vector<std::vector<double>> covariance_of(const RatingNetwork& curvature,
                                               const RatingNetwork& scatter, const Grouped& in) {
    const std::size_t n = curvature.players();
    const Triangle factor(curvature.rows(), curvature.players());
    std::vector<std::vector<double>> pulls;  // by player: what in the slope moves its rating
    std::vector<std::vector<double>> images;
    for (std::size_t i = 0; i < n; ++i)
        images.push_back(scatter.times(pulls.emplace_back(factor.solved(pull_of(i, in)))));
    std::vector<std::vector<double>> covariance(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            if (in.groups.of[i] != in.groups.of[j]) continue;
            covariance[i][j] = dot(pulls[i], images[j]);
            covariance[j][i] = covariance[i][j];
        }
    }
    return covariance;
}

std::vector<std::vector<double>> sampled_errors(const RatingNetwork& curvature,
                                                const RatingNetwork& scatter, const Grouped& in) {
    constexpr std::uint64_t seed = 1;  // any: only how exact the samples are depends on it
    constexpr std::size_t samples = 200;
    Random random(seed);
    std::vector<std::vector<double>> errors;
    for (std::size_t sample = 0; sample < samples; ++sample)
        centre(errors.emplace_back(curvature.solved(scatter.drawn(random), for_a_draw)), in);
    return errors;
}

// The variance of the difference of two ratings, or of one rating where there is no second.
double variance_of(const EloTable& table, std::size_t a, std::optional<std::size_t> b) {
    if (!table.covariance.empty()) {
        const auto& c = table.covariance;
        return b ? c[a][a] + c[*b][*b] - 2 * c[a][*b] : c[a][a];
    }
    double squares = 0;
    for (const auto& errors : table.sampled) {
        const double error = errors[a] - (b ? errors[*b] : 0);
        squares += error * error;
    }
    return squares / static_cast<double>(table.sampled.size());
}

double normal_share(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

}  // namespace

EloTable elo_ratings(std::size_t players, std::span<const PairResult> results,
                     std::span<const Former> former) {
    EloTable table;
    table.ratings.resize(players);
    if (results.empty()) return table;
    for (const auto& result : results) {
        ++table.ratings[result.first].matches;
        ++table.ratings[result.second].matches;
    }
    const auto in = grouped(players, results, former);
    const auto& groups = in.groups;
    const auto rated = static_cast<std::size_t>(std::ranges::count_if(
        table.ratings, [](const EloRating& rating) { return rating.matches > 0; }));
    table.groups = groups.count - (players - rated);  // one who didn't play is alone
    Fit fit(players, summed(results), former);
    fit.climb();
    auto strength = fit.strength();
    centre(strength, in);
    const auto curvature = fit.curvature();
    const auto scatter = fit.scatter(groups);
    if (players <= dense_players_most) {
        table.covariance = covariance_of(curvature, scatter, in);
    } else {
        table.sampled = sampled_errors(curvature, scatter, in);
    }
    for (std::size_t i = 0; i < players; ++i) {
        auto& rating = table.ratings[i];
        rating.group = groups.of[i];
        if (rating.matches == 0) continue;
        rating.elo = strength[i] * elo_of_unit;
        rating.error95 = normal_95 * std::sqrt(variance_of(table, i, std::nullopt)) * elo_of_unit;
    }
    return table;
}

double step_of_new_version(std::uint64_t matches_before) {
    // Newton's step: what one match shows, beside all that was shown before.
    return elo_of_unit / information(0) /
           (former_worth_matches + static_cast<double>(matches_before) + 1);
}

double EloTable::superiority(std::size_t a, std::size_t b) const {
    constexpr double unknown = 0.5;
    if (a == b || !ratings[a].elo || !ratings[b].elo) return unknown;
    if (ratings[a].group != ratings[b].group) return unknown;
    const double spread = std::sqrt(variance_of(*this, a, b));
    return normal_share((*ratings[a].elo - *ratings[b].elo) / elo_of_unit / spread);
}

}  // namespace referee::rating
