#include "referee/contests/tournament/round_by_round.h"

#include <utility>

#include "protocol/json/assertion.h"

namespace referee::tournament {

Schedule::Next RoundByRound::next() {
    // A round may consist of byes only.
    while (pairings_.empty() && byes_.empty()) {
        if (open_ > 0) return Wait{};
        if (ended_) return Finished{};
        std::vector<MatchResult> results;
        for (const auto& [match, result] : results_) results.push_back(result);
        earlier_.merge(results_);
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
    if (reopened_.erase(result.match) == 1) {
        auto& known = earlier_.at(result.match);
        const bool amended = amend(known, result);
        REFEREE_ASSERT(amended);
        known = result;
        --open_;
        return;
    }
    REFEREE_ASSERT(result.round == round_ && result.match <= matches_ && open_ > 0);
    const bool is_new = results_.emplace(result.match, result).second;
    REFEREE_ASSERT(is_new);
    --open_;
}

bool RoundByRound::reopen(std::uint64_t match) {
    if (results_.erase(match) == 0) {
        const auto found = earlier_.find(match);
        if (found == earlier_.end() || !amend(found->second, found->second)) return false;
        reopened_.insert(match);
    }
    ++open_;
    return true;
}

}  // namespace referee::tournament
