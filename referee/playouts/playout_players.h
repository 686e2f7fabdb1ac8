#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/daemon/single_game/single_game.h"
#include "referee/game/trace/replay.h"
#include "referee/playouts/playouts.h"
#include "referee/watch/review/playout_estimate.h"
#include "referee/watch/showing/replay_frames.h"

namespace referee::playouts {

// Who is wished to play the playouts of a game.
struct PlayoutPlayersChoice {
    // By seat, or one for all of them; none: the game's quick reference bot. Where all are random
    // or reference bots, they play within this program.
    std::vector<std::string> commands;
    std::optional<unsigned> slips_percent;  // of reference bots within this program
    std::uint64_t seed = 1;
    const trace::ForkPoint* point = nullptr;  // the game's beginning
    daemon::SingleGame launch;                // where commands are meant, and what they may read
};

struct PlayoutPlayers {
    std::vector<std::string> commands;  // by seat
    std::unique_ptr<review::Playouts> playouts;
    LaunchedPlayouts* programs = nullptr;  // the same, where programs are started
    unsigned slips_percent = 0;

    bool launched() const { return programs != nullptr; }
    // What holds of their playouts, a sentence each; once they are played.
    std::vector<std::string> assumed() const;
    // By which messages they were told what came before.
    std::vector<std::string> past_told_by() const;
    int status_of_failure() const;
};

// An error says what is wrong with the wish. What is given must outlive the cast.
base::Result<PlayoutPlayers, std::string> players_for(const PlayoutPlayersChoice& choice,
                                                      const showing::ReplayFrames& replay_frames,
                                                      const std::string& file,
                                                      const engines::Registry& registry);

}  // namespace referee::playouts
