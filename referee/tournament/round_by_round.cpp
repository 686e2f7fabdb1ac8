#include "referee/tournament/round_by_round.h"

#include <utility>

#include "protocol/json/assertion.h"

namespace referee::tournament {

Schedule::Next RoundByRound::next() {
    // A round may consist of byes only.
    while (pairings_.empty() && byes_.empty()) {
        if (open_ > 0) return Wait{};
        if (ended_) return Finished{};
        std::vector<MatchResult> results;
        for (auto& [match, result] : results_) results.push_back(std::move(result));
        results_.clear();
        auto round = draw(round_ + 1, results);
        if (!round) {
            ended_ = true;
            continue;
        }
        ++round_;
        for (auto& seats : round->matches) {
            pairings_.push_back({++matches_, round_, std::move(seats)});
            ++open_;
        }
        byes_.insert(byes_.end(), round->byes.begin(), round->byes.end());
    }
    if (!pairings_.empty()) {
        Pairing pairing = std::move(pairings_.front());
        pairings_.pop_front();
        return pairing;
    }
    const Bye bye = byes_.front();
    byes_.pop_front();
    return bye;
}

void RoundByRound::record(const MatchResult& result) {
    REFEREE_ASSERT(result.round == round_ && result.match <= matches_ && open_ > 0);
    REFEREE_ASSERT(results_.emplace(result.match, result).second);
    --open_;
}

}  // namespace referee::tournament
