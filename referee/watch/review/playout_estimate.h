#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engines/game.h"

// What playouts say of how a game stood, and how sure that is.

namespace referee::review {

// Of fewer values the middle one has no interval at 95 %: six lie on one side of it by chance in
// one of 32 cases, five in one of 16.
inline constexpr std::size_t playouts_min = 6;
// Halves an interval of 1,000 playouts; each game still takes its time.
inline constexpr std::size_t playouts_max = 10'000;
// Of a review: the intervals of all of them hold at once.
inline constexpr std::size_t turns_told = 3;

// What a game came to for each seat. Several seats: the share of the others that it was placed
// before, half of those beside it; so 1 for a win, a half for a draw, 0 for a loss. A single one:
// its score.
using Worth = std::vector<double>;

Worth worth_of(const engines::Outcome& outcome);

// What a sample says of what can't be seen: intervals that cover the truth at least as often as
// they say, however few values there are and whatever their distribution is.
struct WorthInterval {
    double low = 0;
    double high = 0;

    bool has(double value) const { return low <= value && value <= high; }
};

// How often an interval covers the truth, at least.
inline constexpr double level = 0.95;

double mean_of(std::span<const double> values);
// Of an even number, the mean of the two in the middle.
double middle_of(std::span<const double> values);

// Of the mean of values from 0 to 1, by Chernoff's bound as Hoeffding has it for such values: draws
// and places between count as they are, and at the ends it is narrow. Requires: values.
WorthInterval mean_interval(std::span<const double> values, double covered = level);

// Of the mean of values from -1 to 1, such as differences of pairs: what is gained and what is lost
// each have an interval, so pairs that are alike make it narrow. Requires: values.
WorthInterval difference_interval(std::span<const double> values, double covered = level);

// Of the middle of a distribution, by the order of the values alone. Of too few values (at `level`,
// of fewer than playouts_min) it goes from the least to the greatest and covers less. Requires:
// values.
WorthInterval middle_interval(std::span<const double> values, double covered = level);

// How often each of so many intervals has to cover the truth, so that all do as often as `level`
// says.
double level_of_each(std::size_t intervals);

// Pairs of playouts by which a loss of so much, from 0 to 0.5, can be told from chance, where the
// position was even and the luck of a pair's two has nothing in common. Not more than playouts_max.
std::size_t playouts_to_see(double loss);

enum class Scale : std::uint8_t {
    share,  // of points, from 0 to 1: estimated by the mean
    score,  // of a single seat: estimated by the middle, since a mean of scores has no interval
            // that holds whatever their distribution is
};

// What a branch's playouts came to. Of a game that is over there, its end is the only one.
struct Sample {
    std::vector<Worth> worths;
    bool over = false;
    bool alike = false;    // all went alike, move for move
    std::string course{};  // of the first

    std::vector<double> of(engines::Seat seat) const;
};

// How the game stood for a seat.
struct Estimate {
    double value = 0;
    WorthInterval interval;  // of what playouts like these come to; a point where the game was over
    double mean = 0;
    double best = 0;  // that a playout came to: more may be possible
};

Estimate estimate_of(const Sample& sample, engines::Seat seat, Scale scale);

// How much more `a` is worth than `b` for the seat, by playouts of the same numbers.
struct Difference {
    double value = 0;
    WorthInterval interval;

    // Whether it can be told from chance.
    bool is_sure() const { return !interval.has(0); }
};

Difference difference_of(const Sample& a, const Sample& b, engines::Seat seat, Scale scale,
                         double covered = level);

}  // namespace referee::review
