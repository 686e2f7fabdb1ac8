#pragma once

#include <cstdint>
#include <vector>

#include "referee/contest/formats/schedule.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {

// How the bots of a class are spread, in Elo.
struct ClassKind {
    std::size_t bots = 30;
    double strengths = 200;  // of a bell curve
    // Of a bell curve too: by how much each pair differs from what the strengths say, so that there
    // are cycles.
    double deviations = 0;
    double draws = 0.2;  // of two equal bots' games
    // Three styles, each of which suits the next one's so much better: a cycle through the class.
    double styles = 0;
};

// A class whose true order is known: by the share of points that each would get in a round robin
// without end.
class SimulatedClass {
 public:
    SimulatedClass(const ClassKind& kind, std::uint64_t seed);

    std::size_t bots() const { return truth_.size(); }
    // A match of two games.
    MatchResult play(const Pairing& pairing);
    // A match of many: their sum is drawn, not each game, so it takes no longer than a short one.
    MatchResult play_long(const Pairing& pairing, int games);
    double truth(Entrant entrant) const { return truth_[entrant]; }
    // Whether these are the first, with somebody who is as good but for `margin` allowed in place
    // of another.
    bool are_first(const std::vector<Entrant>& first, double margin) const;

 private:
    double game(Entrant a, Entrant b);
    // The seats' result, where the first one got so many half points.
    static MatchResult result_of(const Pairing& pairing, int games, std::int64_t halves);

    std::vector<double> expected_;  // by two bots: the first one's share
    std::vector<double> truth_;
    double draws_;
    rating::Random luck_;
};

}  // namespace referee::formats
