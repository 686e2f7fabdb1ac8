#pragma once

#include <cstdint>
#include <string>

#include "engines/registry.h"
#include "referee/daemon/single_game.h"
#include "referee/watch/review/playouts.h"
#include "referee/watch/showing/replay_frames.h"

namespace referee::playouts {

// Playouts by programs: each is a game of its own, by the recorded game's clock, with programs that
// are started for it and told what came before.
class LaunchedPlayouts final : public review::Playouts {
 public:
    // `game` has the commands, and where they are meant. All must outlive this.
    LaunchedPlayouts(daemon::SingleGame game, const showing::ReplayFrames& replay_frames,
                     std::string file, const engines::Registry& registry);

    base::Result<std::vector<review::PlayedOut>, std::string> play(const review::Branch& branch,
                                                                   const engines::State& from,
                                                                   std::uint64_t first,
                                                                   std::size_t count) override;
    bool cost_much() const override { return true; }

    std::uint64_t played() const { return played_; }
    // That a bot's doing ended, such as a crash.
    std::uint64_t forfeited() const { return forfeited_; }
    // The exit status of whoever asked, where play() gave an error.
    int status() const { return status_; }

 private:
    daemon::SingleGame game_;
    const showing::ReplayFrames& replay_frames_;
    std::string file_;
    const engines::Registry& registry_;
    std::uint64_t played_ = 0;
    std::uint64_t forfeited_ = 0;
    int status_ = 0;
};

}  // namespace referee::playouts
