#pragma once

#include <set>
#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/played.h"

namespace referee::verdict {

// What a student may know of faults in games that may be hidden. The words of a fault may hold what
// the program saw: so of a hidden game they are told only where they are the same in one that is
// not hidden, or in all of several that begin otherwise; else the kind of the fault.
class HiddenSteps {
 public:
    // Both must outlive it.
    HiddenSteps(const rubric::Rubric& rubric, const Played& played);

    // Why the program gave no valid move in any game; empty where it gave one, or did nothing
    // wrong.
    std::string without_moves() const;
    // Of a hidden step: "wrong in 3 of 120 turns of 3 games: error: 'x' undefined; how the games
    // ended: in 2 of 3 games a ghost caught the ship; in 1 the turns ran out". Empty: it has no
    // games.
    std::string of(const rubric::Step& step) const;

 private:
    // What went wrong first in each of the games, each once.
    std::string first_faults(const std::vector<const PlayedGame*>& games) const;

    const std::string& game_;
    const Played& played_;
    std::set<std::string> open_;  // words of faults in games that are not hidden
};

}  // namespace referee::verdict
