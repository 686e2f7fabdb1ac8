#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace referee::rating {

// What two players brought to one match: `share` is the first one's part of the points, 0 to 1.
struct PairResult {
    std::size_t first = 0;
    std::size_t second = 0;
    double share = 0.5;
};

struct EloRating {
    std::optional<double> elo;  // the mean of those with a rating is 0; none: no match
    double error95 = 0;         // half of the 95% interval
    std::uint64_t matches = 0;
};

// Up to so many players the whole covariance is worked out.
inline constexpr std::size_t dense_players_most = 300;

struct EloTable {
    std::vector<EloRating> ratings;
    // By pair: how likely the first is stronger than the second; 0.5 where nothing is known.
    double superiority(std::size_t a, std::size_t b) const;

    // By player, on the logistic scale. In fields of more than dense_players_most only each
    // player's own variance, taken as if the opponents' ratings were known.
    std::vector<std::vector<double>> covariance;
    std::vector<double> variance;
};

// Elo ratings that make the results likeliest. So that ratings stay finite where somebody won or
// lost everything, and groups that never met have a common scale, everybody plays one drawn match
// against a player of rating 0 besides. Intervals are the curvature's.
// Results are summed by pair, so that their order plays no part.
EloTable elo_ratings(std::size_t players, std::span<const PairResult> results);

}  // namespace referee::rating
