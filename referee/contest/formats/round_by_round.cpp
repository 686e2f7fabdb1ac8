#include "referee/contest/formats/round_by_round.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::formats {

Schedule::Next RoundByRound::next() {
    // A round may consist of byes only.
    while (pairings_.empty() && byes_.empty()) {
        if (open_ > 0) return Wait{};
        if (ended_) return Finished{};
        const auto from = std::exchange(first_of_round_, matches_ + 1);
        const auto results = results_.copied(from);
        auto round = draw(round_ + 1, results);
        if (!round) {
            ended_ = true;
            last_round_from_ = from;
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

bool RoundByRound::go_on() {
    if (!ended_ || !tries_again()) return false;
    ended_ = false;
    return true;
}

Schedule::Next RoundByRound::draw_again(const Pairing& /*drawn*/) {
    on_record_ = true;
    auto drawn_round = next();
    on_record_ = false;
    return drawn_round;
}

bool RoundByRound::reopen(std::uint64_t match) {
    const auto* found = results_.find(match);
    if (found == nullptr) return false;
    if (ended_ && match >= last_round_from_ && match < first_of_round_ && take_end_back()) {
        ended_ = false;
        first_of_round_ = last_round_from_;
    }
    if (match >= first_of_round_) {
        results_.erase(match);
    } else {
        if (!amend(*found, *found)) return false;
        reopened_.insert(match);
    }
    ++open_;
    return true;
}

}  // namespace referee::formats
