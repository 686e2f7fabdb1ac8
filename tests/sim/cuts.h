#pragma once

#include <map>

#include "referee/arena/scheduler/snapshot.h"
#include "tests/sim/plan.h"

namespace tests::sim {

// A run that is cut off once or more. It is of any kind that is simulated, but on a disk that never
// fails.
RunPlan draw_cut(std::uint64_t seed);

// What was told of a tournament's matches, in all lives of its referee. It must stay true.
class ToldMatches {
 public:
    void tell(const referee::tournament::MatchResult& match) { told_[match.match] = match.points; }
    // What is not true any more, in words; empty: all of it is. Of a ladder only the last matches
    // can be seen.
    std::vector<std::string> missing_from(const referee::scheduler::ContestSnapshot& contest) const;

 private:
    std::map<std::uint64_t, std::vector<engines::Score>> told_;
};

}  // namespace tests::sim
