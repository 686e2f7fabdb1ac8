#pragma once

#include <map>
#include <string>
#include <vector>

#include "referee/tournament/contests/contest_snapshot.h"
#include "tests/sim/run_plan.h"

namespace tests::sim {

// A run of any kind that is cut off once or more, on a disk that never fails.
RunPlan draw_cut(std::uint64_t seed);
// Adds cuts to a run, by lot.
void add_cuts(RunPlan& plan, Random& random);

// What was told of matches, in all lives of the referee. It must stay true, until somebody orders
// that a game is played again, or what the match came to.
class ToldMatches {
 public:
    void tell(const std::string& tournament, const referee::formats::MatchResult& match) {
        told_[tournament][match.match] = match.points;
    }
    // A record was committed.
    void on_record(const referee::records::Record& record);
    // What is not true any more, in words; empty: all of it is. Of a ladder only the last matches
    // can be seen.
    std::vector<std::string> missing_from(const referee::contests::ContestSnapshot& contest) const;

 private:
    std::map<std::string, std::map<std::uint64_t, std::vector<engines::Score>>> told_;
};

}  // namespace tests::sim
