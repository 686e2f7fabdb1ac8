#include "referee/contests/tournament/round_by_round.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::tournament {

Schedule::Next RoundByRound::next() {
    // A round may consist of byes only.
    while (pairings_.empty() && byes_.empty()) {
        if (open_ > 0) return Wait{};
        if (ended_) return Finished{};
        const auto results = results_.copied(std::exchange(first_of_round_, matches_ + 1));
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
        const bool amended = amend(results_.at(result.match), result);
        REFEREE_ASSERT(amended);
        results_.put(result);
        --open_;
        return;
    }
    REFEREE_ASSERT(result.round == round_ && result.match <= matches_ && open_ > 0);
    REFEREE_ASSERT(!results_.contains(result.match));
    results_.put(result);
    --open_;
}

bool RoundByRound::reopen(std::uint64_t match) {
    const auto* found = results_.find(match);
    if (found == nullptr) return false;
    if (match >= first_of_round_) {
        results_.erase(match);
    } else {
        if (!amend(*found, *found)) return false;
        reopened_.insert(match);
    }
    ++open_;
    return true;
}

}  // namespace referee::tournament
