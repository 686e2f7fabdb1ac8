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
};

// A class whose true order is known: by the share of points that each would get in a round robin
// without end.
class SimulatedClass {
 public:
    SimulatedClass(const ClassKind& kind, std::uint64_t seed);

    std::size_t bots() const { return truth_.size(); }
    // A match of two games.
    MatchResult play(const Pairing& pairing);
    // Whether these are the first, with somebody who is as good but for `margin` allowed in place
    // of another.
    bool are_first(const std::vector<Entrant>& first, double margin) const;

 private:
    double game(Entrant a, Entrant b);

    std::vector<double> expected_;  // by two bots: the first one's share
    std::vector<double> truth_;
    double draws_;
    rating::Random luck_;
};

}  // namespace referee::formats
