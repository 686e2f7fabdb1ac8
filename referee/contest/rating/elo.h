#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace referee::rating {

// What the rating of a bot's former program tells of its new one: as much as so many drawn matches
// of the two. That is a bell curve around the former rating, 174 Elo to each side. In the
// simulation of tests/referee/contest/rating/new_version_test.cpp, in which new programs
// are by 200 Elo better, 200 worse or alike, this number brings the least error; anything from 3 to
// 6 brings nearly the same.
inline constexpr double former_worth_matches = 4;

// How many points of Elo one match moves the rating of a new program at most that has played so
// many, where nothing but that and the former program's rating is known.
double step_of_new_version(std::uint64_t matches_before);

// A player that is the former program of another, and rated from its own matches.
struct Former {
    std::size_t player = 0;
    std::size_t of = 0;
};

// What two players brought to one match: `share` is the first one's part of the points, 0 to 1.
struct PairResult {
    std::size_t first = 0;
    std::size_t second = 0;
    double share = 0.5;
};

struct EloRating {
    std::optional<double> elo;  // the mean of its group is 0; none: no match
    double error95 = 0;         // half of the 95% interval of `elo`
    std::uint64_t matches = 0;
    std::size_t group = 0;  // players linked by matches share one; no meaning without a match
};

// Up to so many players the whole covariance is worked out. In larger fields it is sampled:
// intervals are then right to about a twentieth of themselves.
inline constexpr std::size_t dense_players_most = 300;

struct EloTable {
    std::vector<EloRating> ratings;
    std::size_t groups = 0;  // of those who played
    // By pair: how likely the first is stronger than the second. 0.5 where nothing is known: for a
    // bot without a match, and between groups.
    double superiority(std::size_t a, std::size_t b) const;

    // How the ratings err together, on the logistic scale. One of the two is empty.
    std::vector<std::vector<double>> covariance;
    std::vector<std::vector<double>> sampled;  // samples of all players' errors
};

// Elo ratings that make the results likeliest. Everybody also plays one drawn match against a
// player of rating 0, so that ratings stay finite where somebody won or lost everything. A rating
// and its interval stand against the mean of the rating's group. Intervals follow how the shares
// scatter, so that draws count; they are made to hold the true rating in 95 of 100 cases. Results
// are summed by pair, so that their order plays no part.
//
// A former program tells of its new one what former_worth_matches says. It is no part of its
// group's mean: ratings of the others stand among those who play now. Requires: former players are
// not former players' former ones, and both have matches.
EloTable elo_ratings(std::size_t players, std::span<const PairResult> results,
                     std::span<const Former> former = {});

}  // namespace referee::rating
