#include "referee/rating/sprt.h"

#include <cmath>

namespace referee::rating {

namespace {

constexpr double elo_scale = 400;
// A test on fewer matches than this would trust a variance that it can't know yet.
constexpr std::size_t matches_least = 4;
// Half a match lost, drawn and won is added to what was seen, so that a clean sheet has a variance.
constexpr double prior_weight = 0.5;

}  // namespace

double expected_share(double elo) {
    return 1.0 / (1.0 + std::pow(10.0, -elo / elo_scale));
}

SprtState sprt(std::span<const double> shares, const SprtLimits& limits) {
    SprtState state;
    state.lower = std::log(limits.beta / (1 - limits.alpha));
    state.upper = std::log((1 - limits.beta) / limits.alpha);
    const double share0 = expected_share(limits.elo0);
    const double share1 = expected_share(limits.elo1);
    double weight = 3 * prior_weight;
    double sum = prior_weight * (0.0 + 0.5 + 1.0);
    double squares = prior_weight * (0.0 + 0.25 + 1.0);
    for (const double share : shares) {
        ++state.matches;
        weight += 1;
        sum += share;
        squares += share * share;
        const double mean = sum / weight;
        const double variance = squares / weight - mean * mean;
        state.log_likelihood_ratio = static_cast<double>(state.matches) * (share1 - share0) *
                                     (2 * mean - share0 - share1) / (2 * variance);
        if (state.matches < matches_least) continue;
        if (state.log_likelihood_ratio >= state.upper) state.verdict = SprtVerdict::stronger;
        if (state.log_likelihood_ratio <= state.lower) state.verdict = SprtVerdict::not_stronger;
        if (state.verdict != SprtVerdict::undecided) break;
    }
    return state;
}

}  // namespace referee::rating
