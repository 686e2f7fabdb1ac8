#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "referee/contests/rating/pair_model.h"
#include "referee/contests/rating/random.h"
#include "referee/contests/tournament/evidence.h"
#include "referee/contests/tournament/format.h"

namespace referee::tournament {

// Two entrants whose order the question asks for. `above` is better by what is known.
struct AskedPair {
    Entrant above = 0;
    Entrant below = 0;
    bool told = false;
};

// What an adaptive tournament knows: the share of the points that each would get in a round robin
// without end, from all matches so far, and how far its question is answered. The same results in
// the same order give the same answer.
class AdaptiveState {
 public:
    AdaptiveState(const AdaptiveOptions& options, std::size_t entrants);

    void enter() { model_.grow(model_.players() + 1); }
    // A match to which somebody didn't come tells nothing; nor does one that only repeats games of
    // matches before, but that their next would.
    void record(const MatchResult& result);
    // Whether the two have no more to tell: their last matches were only such.
    bool settled(Entrant a, Entrant b) const;
    // Works the answer out of all results so far.
    void look();

    std::size_t entrants() const { return model_.players(); }
    const rating::PairModel& model() const { return model_; }
    // The entrants, best first.
    const std::vector<Entrant>& order() const { return order_; }
    // The pairs that are asked for, each once; an answer tells of all of them.
    const std::vector<AskedPair>& asked() const { return asked_; }
    bool answered() const { return unsure_ == 0; }
    std::size_t unsure() const { return unsure_; }
    // A pair that two possible fields, by each entrant's share, see in a different order, of those
    // asked for in either; nothing where there is none. Which of several is drawn by lot.
    std::optional<AskedPair> disputed(const std::vector<double>& one,
                                      const std::vector<double>& other, rating::Random& lots) const;
    // The chance of a wrong word about one pair, so that all words about the asked pairs together
    // keep the question's confidence.
    double alpha() const;

 private:
    // Whether order is asked for between two places, from 0, that these entrants have.
    bool is_asked(std::size_t place, std::size_t below, Entrant at_place, Entrant at_below) const;

    AdaptiveOptions options_;
    rating::PairModel model_;
    Evidence evidence_;
    std::map<std::pair<Entrant, Entrant>, int> repeats_;  // by pair, in a row
    std::vector<Entrant> order_;
    std::vector<AskedPair> asked_;
    std::size_t unsure_ = 0;
};

// A difference of strengths, as Elo has it.
double elo_of_logistic(double difference);

// Where an adaptive tournament of so many entrants stands after these results.
AdaptiveState adaptive_state(const AdaptiveOptions& options, std::size_t entrants,
                             std::span<const MatchResult> results);

}  // namespace referee::tournament
