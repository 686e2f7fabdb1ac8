#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace referee::certainty {

// What two brought to all their matches. Matches that only repeated games count in `matches` alone.
struct PairRecord {
    std::size_t a = 0;
    std::size_t b = 0;
    std::uint64_t matches = 0;
    std::uint64_t distinct = 0;
    double share = 0;       // of the distinct ones: the sum of a's parts of the points, each 0 to 1
    double squares = 0;     // the sum of the squares of these parts
    std::uint64_t won = 0;  // by a: its part was over a half
    std::uint64_t lost = 0;
    bool settled = false;  // they would only repeat what they have played
};

struct Interval {
    double low = 0;
    double high = 1;
    bool has(double value) const { return low <= value && value <= high; }
};

// The 95% interval of a's mean share: Wilson's, for as many matches without draws as would tell as
// much. Draws scatter less, so that they make it narrower; how much they do is believed the more,
// the more matches there are. A pair that is settled has its share for sure. Everything where
// nothing was played.
Interval share_interval(const PairRecord& pair);

// Chances of errors, corrected so that each is that of any error among all of them, by Holm's way.
std::vector<double> holm_corrected(std::vector<double> p);

// Student's distribution. How likely a value is that lies at least so far from 0, to either side.
// Requires: freedom > 0.
double student_two_sided(double t, double freedom);

// The t beyond which, to either side, lies so much of it. Requires: 0 < outside < 1, freedom > 0.
double student_quantile(double outside, double freedom);

// The same of the bell curve of variance 1.
double normal_quantile(double outside);

// Of so many coins, thrown `heads + tails` times: how likely a result is that is at least so
// uneven, to either side.
double coin_two_sided(std::uint64_t heads, std::uint64_t tails);

// The chance, over a whole tournament, of telling any cycle though there is none.
inline constexpr double cycles_alpha = 0.05;
inline constexpr std::size_t cycles_told_most = 20;

// Each beats the next one, and the last beats the first.
struct Cycle {
    std::vector<std::size_t> players;
    double p = 1;  // corrected: how likely chance alone tells any cycle so surely
};

struct CycleSearch {
    std::vector<Cycle> cycles;  // those told, the surest first, cycles_told_most at most
    std::uint64_t found = 0;    // how many there are in all
    std::uint64_t triples = 0;  // of whom all three pairs met
    std::uint64_t pairs = 0;    // that were tested
    std::uint64_t undrawn = 0;  // the most undrawn distinct matches of any pair
    std::uint64_t needed = 0;   // so many undrawn matches of a pair tell, if one wins all
    // Whether no pair could have told anything, however its matches had ended.
    bool too_few() const { return found == 0 && pairs > 0 && undrawn < needed; }
};

// Cycles beyond chance. One of two beats the other if it wins more of their matches than it loses
// in the long run. If there is an order in which nobody beats somebody above, each cycle that is
// seen has a pair that is seen the wrong way round. So a cycle is told where each of its three
// pairs is told by a test whose errors, over all pairs together, stay within cycles_alpha: the
// exact test of coins for each pair's undrawn matches, corrected by Holm's way. It assumes nothing
// of strengths. Pairs that are settled are known without a test.
//
// That holds for cycles of any length. Where everybody met everybody, whoever is in a cycle is in
// one of three; but not all pairs are met, or told. So where no three are told, the shortest cycles
// of more are, one at most for each of its lowest numbers.
// Requires: each pair once; a and b below `players`.
CycleSearch find_cycles(std::size_t players, std::span<const PairRecord> pairs);

// The chance, over all pairs together, of telling any two apart that are alike.
inline constexpr double seeds_alpha = 0.05;

// Two who played the same games, each alone.
struct SeedComparison {
    std::size_t better = 0;  // by the mean of the differences
    std::size_t worse = 0;
    std::uint64_t seeds = 0;           // that both played
    double difference = 0;             // of the scores, seed by seed: the mean
    std::optional<Interval> interval;  // 95%; nothing where the differences didn't scatter
    double p = 1;                      // corrected for all pairs
    bool told = false;                 // apart: p is at most seeds_alpha
    // So many seeds would tell these two apart, if nobody else were compared, in four of five
    // cases; 0: not known, for there was no difference, or no scatter.
    std::uint64_t needed = 0;
};

struct SeedOrder {
    std::vector<std::size_t> order;    // by mean score, the best first; those that played
    std::vector<double> means;         // by player
    std::vector<std::size_t> places;   // by player: 1 and those that are told to be better
    std::vector<SeedComparison> next;  // each of the order and the one after it
    std::uint64_t seeds = 0;
    std::uint64_t told_pairs = 0;
    std::uint64_t pairs = 0;
};

// Compares players by their scores on common seeds. What a seed is worth to all alike cancels in
// the differences, which are tested by Student's t; but a difference is never called surer than it
// would be by its signs alone, so that few seeds tell nothing. Corrected by Holm's way over all
// pairs. By seed, and in it by player; nothing where the player has no score.
SeedOrder order_on_seeds(std::size_t players,
                         std::span<const std::vector<std::optional<double>>> scores);

}  // namespace referee::certainty
