#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "referee/contest/formats/schedule.h"
#include "referee/contest/standings/match_result.h"

namespace referee::formats {

// A schedule that draws a round when all results of the one before are in.
class RoundByRound : public Schedule {
 public:
    Next next() final;
    void record(const MatchResult& result) final;
    bool reopen(std::uint64_t match) final;
    bool go_on() final;
    Next draw_again(const Pairing& drawn) final;
    bool drawing_due() const final {
        return pairings_.empty() && byes_.empty() && open_ == 0 && !ended_;
    }

 protected:
    struct Round {
        std::vector<std::vector<Entrant>> matches;  // by seat
        std::vector<Bye> byes;
    };
    // The next round; nothing where there is none. `results` are those of the round before, by
    // match.
    virtual std::optional<Round> draw(std::uint32_t round,
                                      const std::vector<MatchResult>& results) = 0;

    // The result of a match of an earlier round has changed; false where what was drawn since may
    // depend on it. Called with the same result twice to learn whether it can be.
    virtual bool amend(const MatchResult& before, const MatchResult& after) {
        static_cast<void>(before);
        static_cast<void>(after);
        return false;
    }

    // No round was drawn any more, and a match of the last one is played again: as if the next had
    // never been asked for. False where that can't be.
    virtual bool take_end_back() { return false; }
    // Whether a round that could not be drawn may be drawn after all: it is tried again.
    virtual bool tries_again() { return false; }
    // Whether the round that is drawn was drawn before a restart.
    bool on_record() const { return on_record_; }

    // The last round that was drawn; 0 before the first.
    std::uint32_t drawn() const { return round_; }

 private:
    std::deque<Pairing> pairings_;  // drawn, to be handed out
    std::deque<Bye> byes_;
    standings::ResultList results_;
    std::uint64_t first_of_round_ = 1;  // the first match of the round that is being played
    std::uint64_t last_round_from_ =
        0;  // of a schedule that ended: the first match of its last round
    std::set<std::uint64_t> reopened_;  // matches of earlier rounds that are played again
    std::uint64_t matches_ = 0;
    std::uint64_t open_ = 0;  // handed out or queued, without a result
    std::uint32_t round_ = 0;
    bool ended_ = false;
    bool on_record_ = false;
};

}  // namespace referee::formats
