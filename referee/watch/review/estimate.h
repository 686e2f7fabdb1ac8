#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engines/game.h"
#include "referee/watch/review/interval.h"
#include "referee/watch/review/playouts.h"

namespace referee::review {

enum class Scale : std::uint8_t {
    share,  // of points, from 0 to 1: estimated by the mean
    score,  // of a single seat: estimated by the middle, since a mean of scores has no interval
            // that holds whatever their distribution is
};

// What a branch's playouts came to. Of a game that is over there, its end is the only one.
struct Sample {
    std::vector<Worth> worths;
    bool over = false;
    bool alike = false;  // all went alike, move for move

    std::vector<double> of(engines::Seat seat) const;
};

// How the game stood for a seat.
struct Estimate {
    double value = 0;
    Interval interval;  // of what playouts like these come to; a point where the game was over
    double mean = 0;
    double best = 0;  // that a playout came to: more may be possible
};

Estimate estimate_of(const Sample& sample, engines::Seat seat, Scale scale);

// How much more `a` is worth than `b` for the seat, by playouts of the same numbers.
struct Difference {
    double value = 0;
    Interval interval;

    // Whether it can be told from chance.
    bool is_sure() const { return !interval.has(0); }
};

Difference difference_of(const Sample& a, const Sample& b, engines::Seat seat, Scale scale);

}  // namespace referee::review
