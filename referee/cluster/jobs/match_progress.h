#pragma once

#include <cstddef>
#include <vector>

#include "engines/game.h"
#include "referee/cluster/jobs/job.h"
#include "referee/config/config.h"
#include "referee/game/result/result.h"

namespace referee::jobs {

// Which games of a job's match are to be played, as their results come in: the same for who plays
// them and for who looks at what was played.
class MatchProgress {
 public:
    // All outlive it.
    MatchProgress(const JobMatch& match, const config::TournamentConfig& tournament,
                  const engines::Game& rules);

    // The next game where it can begin now; null where there is none.
    const JobGame* next() const;
    // It begins. Requires: next() gives one.
    void begin() { ++begun_; }
    // A game that has begun has ended.
    void end(const GameResult& result);
    // No game of it is played, and none will be.
    bool over() const { return ended_ == begun_ && next() == nullptr; }

 private:
    bool is_decided() const;

    const JobMatch& match_;
    const config::TournamentConfig& tournament_;
    const engines::Game& rules_;
    std::size_t begun_ = 0;
    std::size_t ended_ = 0;
    bool stopped_ = false;  // a game of it doesn't count, or it is decided
    std::vector<GameResult> results_;
};

}  // namespace referee::jobs
