#include "referee/contest/rating/sprt.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/assertion.h"

namespace referee::rating {
namespace {

constexpr double elo_scale = 400;
// So much of a lost, a drawn and a won match is added to what was seen, so that there is a
// distribution with any mean, whatever was seen.
constexpr double unseen = 1e-3;
// A mean nearer than this to 0 or 1 is taken to be this far away: doubles can't tell nearer ones
// apart.
constexpr double share_least = 1e-9;

double limit_share(double elo) {
    return std::clamp(expected_share(elo), share_least, 1 - share_least);
}

// The likeliest distribution of that mean gives a share the part that it had of what was seen,
// divided by 1 + t (share - mean). Finds that t: beyond some values a part would be negative, and
// between these only one t makes the parts sum up to 1.
double tilt(const std::map<double, double>& seen, double mean) {
    constexpr int rounds_most = 200;
    constexpr double enough = 1e-12;
    double low = -1 / (seen.rbegin()->first - mean);
    double high = 1 / (mean - seen.begin()->first);
    double t = 0;
    for (int round = 0; round < rounds_most && high - low > enough * (1 + std::abs(t)); ++round) {
        double value = 0;  // falls as t grows
        double fall = 0;
        for (const auto& [share, count] : seen) {
            const double part = (share - mean) / (1 + t * (share - mean));
            value += count * part;
            fall += count * part * part;
        }
        (value > 0 ? low : high) = t;
        const double step = value / fall;
        if (std::abs(step) < enough) break;
        const double next = t + step;
        t = next > low && next < high ? next : (low + high) / 2;
    }
    return t;
}

// The log likelihood of what was seen under the likeliest distribution of that mean; what doesn't
// depend on the mean is left out.
double likelihood(const std::map<double, double>& seen, double mean) {
    const double t = tilt(seen, mean);
    double sum = 0;
    for (const auto& [share, count] : seen) sum -= count * std::log1p(t * (share - mean));
    return sum;
}

// The mixture is narrowest, for its sureness, where the variance is a thirteenth of this: there a
// difference of about 0.03 is just told apart from none, three points in a hundred.
constexpr double mixture_variance = 8e-4;

}  // namespace

double expected_share(double elo) {
    return 1.0 / (1.0 + std::pow(10.0, -elo / elo_scale));
}

SequentialTest::SequentialTest(const SprtLimits& limits)
    : share0_(limit_share(limits.elo0)),
      share1_(limit_share(limits.elo1)),
      seen_{{0.0, unseen}, {0.5, unseen}, {1.0, unseen}} {
    state_.lower = std::log(limits.beta / (1 - limits.alpha));
    state_.upper = std::log((1 - limits.beta) / limits.alpha);
}

void SequentialTest::add(double share) {
    if (state_.verdict != SprtVerdict::undecided) return;
    ++state_.matches;
    seen_[share] += 1;
    state_.log_likelihood_ratio = likelihood(seen_, share1_) - likelihood(seen_, share0_);
    if (state_.log_likelihood_ratio >= state_.upper) state_.verdict = SprtVerdict::stronger;
    if (state_.log_likelihood_ratio <= state_.lower) state_.verdict = SprtVerdict::not_stronger;
}

double sequential_bound(double variance, double alpha) {
    REFEREE_ASSERT(variance > 0 && alpha > 0 && alpha < 0.5);
    const double looks = mixture_variance / variance;
    const double two_sided = 2 * alpha;
    return (1 + 1 / looks) * (std::log1p(looks) - 2 * std::log(two_sided));
}

}  // namespace referee::rating
