#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/rating/triangle.h"

namespace referee::rating {

// What part of the points each player would get in a round robin without end of those who are here,
// from matches of two, whoever met whom and however often.
//
// The model: the first of two gets 1 / (1 + exp(-d)) of the points, where d is the difference of
// their strengths and a deviation of this pair's own, by which one may suit the other better than
// strengths say (A beats B, B beats C, C beats A). Deviations are spread like a bell curve; how
// widely is learnt from the matches. So many matches of one pair tell of this pair, and matches
// against several tell of strength; where all pairs met often, the shares are what they got.
//
// For fields of some hundred players: the time of fit() grows with the cube of their number. Copies
// share what fit() worked out.
class PairModel {
 public:
    explicit PairModel(std::size_t players) { grow(players); }

    std::size_t players() const { return strengths_.size(); }
    // More players; nothing is known of them before the next fit().
    void grow(std::size_t players);
    // A match of two: the first one's share of the points, from 0 to 1. Requires: first != second.
    void add(std::size_t first, std::size_t second, double share);
    // The two would only repeat the matches that they have played: what they got is what they get.
    // Requires: they have met.
    void settle(std::size_t a, std::size_t b);
    // Everybody's matches against this one are as if they had never been.
    void forget(std::size_t player);
    // Whether points against this one count in the shares. What its matches tell of the others'
    // strengths counts in any case.
    void set_here(std::size_t player, bool here);
    // Works everything below out of all matches so far; before, all are level and little is known.
    void fit();

    double matches(std::size_t a, std::size_t b) const;
    double matches(std::size_t player) const { return played_[player]; }
    // Of the points of a round robin without end, and the variance of its error; and that of the
    // difference of two shares.
    double share(std::size_t player) const { return known_->shares[player]; }
    double variance(std::size_t player) const { return known_->variances[player]; }
    double variance(std::size_t a, std::size_t b) const;
    // By how much one more match of `first` and `second` would lower variance(a, b).
    double gain(std::size_t a, std::size_t b, std::size_t first, std::size_t second) const;

    // On the scale of d.
    double strength(std::size_t player) const { return strengths_[player]; }
    double deviation() const { return deviation_; }  // the deviations' variance
    double scatter() const { return scatter_; }      // of matches, as a part of an undrawn game's

 private:
    struct Pair {
        std::uint32_t first = 0;  // the greater of the two
        std::uint32_t second = 0;
        bool settled = false;
        double matches = 0;
        double share = 0;    // the sum of the first one's shares
        double squares = 0;  // the sum of the squares of (share - 1/2)
    };
    // A pair's share by the strengths alone, and its slope over d.
    struct Expected {
        double share = 0;
        double slope = 0;
    };
    // What is known of a pair's d beyond the strengths.
    struct Own {
        double weight = 0;    // of the pair's matches in it; the rest is the strengths'
        double variance = 0;  // of what is left unknown
        double slope = 0;     // of the share over d; 0 where the pair is settled
    };
    // What fit() works out; it never changes.
    struct Known {
        std::vector<double> covariance;  // of the strengths
        std::vector<double> reach;       // by player and strength: how the share moves with it
        std::vector<double> along;       // reach times covariance
        std::vector<double> shares;
        std::vector<double> variances;  // of the shares
        std::vector<double> others;     // by player: of how many points its share is a mean
        std::vector<bool> here;
    };

    std::size_t at(std::size_t a, std::size_t b) const { return a * players() + b; }
    const Pair* met(std::size_t a, std::size_t b) const;
    Pair& pair_of(std::size_t a, std::size_t b);
    Expected expected(std::size_t a, std::size_t b) const;
    Own own(const Pair* met, double slope) const;

    void expect();  // of all pairs that met
    void learn_scatter();
    void learn_deviation();
    double tells(std::size_t number) const;  // of strength, that a pair's matches do
    std::vector<double> pull() const;
    Triangle information() const;
    double step(const std::vector<double>& towards);
    void walk();  // to the likeliest strengths
    std::shared_ptr<const Known> work_out(std::vector<double> covariance) const;
    void work_out_shares(Known& known) const;
    // How the difference of two shares and a pair's d err together.
    double together(std::size_t a, std::size_t b, std::size_t first, std::size_t second,
                    const Own& own) const;

    std::vector<Pair> pairs_;           // those that met
    std::vector<std::uint32_t> index_;  // by both: 1 + its place in pairs_; 0: never met
    std::vector<Expected> expected_;    // by the pair's place in pairs_
    std::vector<double> played_;        // by player: matches
    std::vector<double> strengths_;
    std::vector<bool> here_;
    Triangle way_;  // the information at some strengths that were near, to walk by
    std::shared_ptr<const Known> known_;
    double scatter_ = 1;
    double deviation_ = 0;
};

}  // namespace referee::rating
