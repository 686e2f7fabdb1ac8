#pragma once

#include <cstddef>
#include <vector>

namespace referee::rating {

// What part of the points each player would get in a round robin without end, from matches of two,
// whoever met whom and however often.
//
// The model: the first of two gets 1 / (1 + exp(-d)) of the points, where d is the difference of
// their strengths and a deviation of this pair's own, by which one may suit the other better than
// strengths say (A beats B, B beats C, C beats A). Deviations are spread like a bell curve; how
// widely is learnt from the matches. So many matches of one pair tell of this pair, and matches
// against several tell of strength; where all pairs met often, the shares are what they got.
//
// For fields of some hundred players: time grows with the cube of their number.
class PairModel {
 public:
    explicit PairModel(std::size_t players) { grow(players); }

    std::size_t players() const { return strengths_.size(); }
    void grow(std::size_t players);
    // A match of two: the first one's share of the points, from 0 to 1. Requires: first != second.
    void add(std::size_t first, std::size_t second, double share);
    // The two would only repeat the matches that they have played: what they got is what they get.
    // Requires: they have met.
    void settle(std::size_t a, std::size_t b);
    // Works everything below out of all matches so far; before, all are level and little is known.
    void fit();

    double matches(std::size_t a, std::size_t b) const { return totals(a, b).matches; }
    // Of the points of a round robin without end, and the variance of its error; and that of the
    // difference of two shares.
    double share(std::size_t player) const { return shares_[player]; }
    double variance(std::size_t player) const;
    double variance(std::size_t a, std::size_t b) const;
    // By how much one more match of `first` and `second` would lower variance(a, b).
    double gain(std::size_t a, std::size_t b, std::size_t first, std::size_t second) const;

    // On the scale of d.
    double strength(std::size_t player) const { return strengths_[player]; }
    double deviation() const { return deviation_; }  // the deviations' variance

 private:
    struct Totals {
        double matches = 0;
        double share = 0;    // the sum of the first one's shares
        double squares = 0;  // the sum of the squares of (share - 1/2)
        bool settled = false;
    };
    // What is known of a pair's d beyond the strengths.
    struct Own {
        double weight = 0;    // of the pair's matches in it; the rest is the strengths'
        double variance = 0;  // of what is left unknown
        double slope = 0;     // of the share over d; 0 where the pair is settled
    };
    std::size_t at(std::size_t a, std::size_t b) const { return a * players() + b; }
    const Totals& totals(std::size_t a, std::size_t b) const { return totals_[at(a, b)]; }
    double alone(std::size_t a, std::size_t b) const;  // what a pair's matches say of its d
    double slope(std::size_t a, std::size_t b) const;  // of a share, by the strengths
    void learn_scatter();
    void learn_deviation();
    bool step();  // towards the likeliest strengths; false: they are reached
    std::vector<double> weigh_up();
    void factor();
    void work_out_covariance();
    void work_out_pairs();
    void work_out_shares();
    // How the difference of two shares and a pair's d err together.
    double together(std::size_t a, std::size_t b, std::size_t first, std::size_t second) const;

    std::vector<Totals> totals_;
    std::vector<double> strengths_;
    std::vector<double> factor_;      // of the information: its triangle
    std::vector<double> covariance_;  // of the strengths
    std::vector<Own> own_;
    std::vector<double> shares_;
    std::vector<double> reach_;    // by player and strength: how the share moves with it
    std::vector<double> along_;    // reach times covariance
    std::vector<double> errors_;   // the shares' covariance, as far as it comes from strengths
    std::vector<double> unknown_;  // by player: the variance of its share that its pairs bring
    double scatter_ = 1;  // a match's variance as a part of what one undrawn game would have
    double deviation_ = 0;
};

}  // namespace referee::rating
