#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/rating/pair_model.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/standings/match_result.h"

namespace referee::formats {

// Two entrants whose order the question asks for. `above` is better by what is known.
struct AskedPair {
    Entrant above = 0;
    Entrant below = 0;
    bool told = false;
};

// ---- adaptive_state.cpp -------------------------------------------------------------------------

// What an adaptive tournament knows: the share of the points that each would get in a round robin
// without end of those who are here, from all matches so far, and how far its question is answered.
// The same results in the same order give the same answer.
//
// A bot is what its program is: where another one plays in its name, the matches of the one before
// tell nothing of it, and it counts as a newcomer. A match in which it changed tells nothing.
//
// Those who left are no answer to the question, and stand behind all others; what they played still
// tells how strong the others are.
class AdaptiveState {
 public:
    AdaptiveState(const AdaptiveOptions& options, std::size_t entrants);

    // One more, from the next look() on.
    void enter();
    // It left, or is here again; from the next look() on.
    void set_here(Entrant entrant, bool here);
    // Matches that tell of its present program.
    double matches(Entrant entrant) const { return model_.matches(entrant); }
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
    // Not where nobody is left to be held against those who are here.
    bool answered() const;
    std::size_t unsure() const { return unsure_; }
    // About how many matches more an answer would take, if all are as strong as they look now;
    // nothing where it is there already, or where no number of matches would tell.
    std::optional<double> matches_missing() const;
    // A pair that two possible fields, by each entrant's share, see in a different order, of those
    // asked for in either; nothing where there is none. Which of several is drawn by lot.
    std::optional<AskedPair> disputed(const std::vector<double>& one,
                                      const std::vector<double>& other, rating::Random& lots) const;
    // The chance of a wrong word about one pair, so that all words about the asked pairs together
    // keep the question's confidence.
    double alpha() const;

 private:
    void note_programs(const MatchResult& result);
    bool repeats(const MatchResult& result);
    // It is here, or the others are held against it.
    bool in_question(Entrant entrant) const;
    // Best first, those who left at the end.
    std::vector<Entrant> best_first(const std::vector<double>& shares) const;
    std::vector<bool> first_of(const std::vector<double>& shares) const;
    std::vector<AskedPair> moved_across(const std::vector<double>& one,
                                        const std::vector<double>& other) const;
    // Whether order is asked for between two places, from 0, that these entrants have.
    bool is_asked(std::size_t place, std::size_t below, Entrant at_place, Entrant at_below) const;

    // What plays in an entrant's name.
    struct Player {
        bool here = true;
        std::string program;    // empty: not known
        unsigned programs = 0;  // that played before this one
    };

    AdaptiveOptions options_;
    rating::PairModel model_;
    standings::NewGames new_games_;
    std::vector<Player> players_;
    std::map<std::pair<Entrant, Entrant>, int> repeats_;  // by pair, in a row
    std::vector<Entrant> order_;
    std::vector<AskedPair> asked_;
    std::size_t unsure_ = 0;
};

// A difference of strengths, as Elo has it.
double elo_of_logistic(double difference);

// Where an adaptive tournament of so many entrants stands after these results; `gone`: who left.
AdaptiveState adaptive_state(const AdaptiveOptions& options, std::size_t entrants,
                             std::span<const MatchResult> results,
                             std::span<const Entrant> gone = {});

// ---- adaptive.cpp -------------------------------------------------------------------------------

// Matches of two where the answer to the format's question is unsure. Some rounds of pairs drawn by
// lot come first. Then, before each match, two fields are drawn as the results so far allow them;
// where they see an asked pair differently, the match is played that tells most of that pair. It
// ends when the question is answered with its confidence, when the matches are used up or
// its time is, or when nobody is left to tell more. places() ranks by share of points.
//
// It takes late entries. They, and bots with another program than before (AdaptiveState), come
// first, until they have had as many matches as the opening has rounds.
std::unique_ptr<Schedule> adaptive(const AdaptiveOptions& options,
                                   const std::vector<Entry>& entries, std::uint64_t seed);

// How many matches it plays at most.
std::uint64_t adaptive_matches_most(const AdaptiveOptions& options, std::size_t entrants);

}  // namespace referee::formats
