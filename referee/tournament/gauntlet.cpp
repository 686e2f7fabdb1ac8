#include "referee/tournament/gauntlet.h"

#include <map>
#include <utility>

#include "protocol/json/assertion.h"
#include "referee/tournament/match.h"

namespace referee::tournament {

namespace {

double share_of_first_entrant(const MatchResult& result) {
    return share_of(result, result.seats[0] == 0 ? 0 : 1);
}

class Gauntlet final : public Schedule {
 public:
    Gauntlet(const FormatConfig& config, std::size_t entrants)
        : bounds_(config.sprt),
          opponents_(entrants - 1),
          matches_(std::uint64_t{opponents_} * config.cycles) {}

    Next next() override {
        if (handed_out_ == matches_ || decided_) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        const std::uint64_t index = handed_out_++;
        const Entrant opponent = gauntlet_candidate + 1 + index % opponents_;
        const bool exchanged = index / opponents_ % 2 == 1;
        Pairing pairing{
            handed_out_, static_cast<std::uint32_t>(handed_out_), {gauntlet_candidate, opponent}};
        if (exchanged) std::swap(pairing.seats[0], pairing.seats[1]);
        return pairing;
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        if (!bounds_ || decided_) return;
        waiting_.emplace(result.match, share_of_first_entrant(result));
        bool longer = false;
        for (; !waiting_.empty() && waiting_.begin()->first == prefix_.size() + 1;
             waiting_.erase(waiting_.begin())) {
            prefix_.push_back(waiting_.begin()->second);
            longer = true;
        }
        if (!longer) return;
        const rating::SprtLimits limits{bounds_->elo0, bounds_->elo1, bounds_->alpha,
                                        bounds_->beta};
        decided_ = rating::sprt(prefix_, limits).verdict != rating::SprtVerdict::undecided;
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        waiting_.erase(match);
        // What stood behind it waits for it again.
        for (std::uint64_t behind = match + 1; behind <= prefix_.size(); ++behind) {
            waiting_.emplace(behind, prefix_[behind - 1]);
        }
        if (match <= prefix_.size()) prefix_.resize(match - 1);
        decided_ = false;
        return true;
    }

    // Its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (bounds_) return std::nullopt;
        return matches_;
    }

 private:
    std::optional<SprtBounds> bounds_;
    std::size_t opponents_;
    std::uint64_t matches_;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    bool decided_ = false;
    std::map<std::uint64_t, double> waiting_;  // finished, but something before them isn't
    std::vector<double> prefix_;               // shares of the finished matches without a gap
};

}  // namespace

std::unique_ptr<Schedule> gauntlet(const FormatConfig& config, std::size_t entrants) {
    REFEREE_ASSERT(entrants >= 2);
    return std::make_unique<Gauntlet>(config, entrants);
}

rating::SprtState gauntlet_test(const SprtBounds& bounds, std::span<const MatchResult> results) {
    std::map<std::uint64_t, double> by_match;
    for (const auto& result : results)
        by_match.emplace(result.match, share_of_first_entrant(result));
    std::vector<double> prefix;
    for (const auto& [match, share] : by_match) {
        if (match != prefix.size() + 1) break;
        prefix.push_back(share);
    }
    return rating::sprt(prefix, {bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta});
}

}  // namespace referee::tournament
