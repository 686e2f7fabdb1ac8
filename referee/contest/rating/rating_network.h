#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "referee/contest/rating/random.h"

namespace referee::rating {

// How exactly equations are solved: where a result is printed, and where it is one draw of many.
inline constexpr double exactly = 1e-9;
inline constexpr double for_a_draw = 1e-5;

// Two players who met. The weight of their squared difference tells how much that says of it.
struct RatedPair {
    std::size_t a = 0;
    std::size_t b = 0;
    double weight = 1;
};

// Players who met, and how much that says of them against each other.
struct RatedMeeting {
    std::vector<std::size_t> players;
    double weight = 1;
};

// A network of pairs and meetings as a matrix M, which is not written out. x' M x is a sum of: each
// pair's weight times the square of its difference; each meeting's weight times how far its
// players' x scatter around their mean (the sum of squares); and, for each player, `own` times x
// squared.
class RatingNetwork {
 public:
    RatingNetwork(std::vector<double> own, std::vector<RatedPair> pairs,
                  std::span<const RatedMeeting> meetings = {});

    // The same `own` for everybody, instead of what it was.
    void set_own(double own);

    std::size_t players() const { return own_.size(); }
    // M written out, row by row.
    std::vector<double> rows() const;
    // M x.
    std::vector<double> times(const std::vector<double>& x) const;
    // The x with M x = right, except for an error that is so small a part of `right`. Requires:
    // `own` is over 0 for everybody.
    std::vector<double> solved(const std::vector<double>& right, double but_for) const;
    // A draw from the normal distribution around 0 whose covariance is M.
    std::vector<double> drawn(Random& random) const;

 private:
    struct Weighed {
        std::size_t end = 0;  // of its players in the list of all; they begin where others ended
        double weight = 1;
        double each = 1;  // one part of the mean
    };
    std::vector<double> own_;
    std::vector<RatedPair> pairs_;
    std::vector<std::size_t> members_;  // of all meetings, one after the other
    std::vector<Weighed> meetings_;
    std::vector<double> diagonal_;
};

// By player: the number of its group, from 0 in the order of their first players. Players who are
// linked by pairs, directly or through others, are in one group.
struct ConnectedGroups {
    std::vector<std::size_t> of;
    std::size_t count = 0;
};
ConnectedGroups groups_of(std::size_t players, std::span<const RatedPair> pairs);

// How sure a ranking by strength is.
struct RankInterval {
    std::size_t best = 1;
    std::size_t worst = 1;
};

// What a match gave to those in it.
struct RatedMatchPoints {
    std::vector<std::size_t> players;
    std::vector<double> points;
};

struct RankIntervals {
    std::vector<RankInterval> intervals;  // by player, holding the ranks of 95% of the draws
    // By player: in how many of the draws it was the strongest, as a share.
    std::vector<double> first_share;
};

// Draws, `draws` times, what the strengths may be after these matches, and ranks players by them.
//
// The model: in a match a player gets the match's level, its own strength and luck. Luck is spread
// alike for all. Strengths are spread like a bell curve over the field; how widely is learnt from
// the results. So a player with few matches is thought to be near the others until more is known,
// and a player who met strong opponents is thought to be stronger for it. Players without a match
// come last.
// Requires: draws > 0; nobody twice in a match.
RankIntervals rank_intervals(std::size_t players, std::span<const RatedMatchPoints> matches,
                             std::uint64_t seed, std::size_t draws);

}  // namespace referee::rating
