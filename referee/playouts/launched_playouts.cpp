#include "referee/playouts/launched_playouts.h"

#include <istream>
#include <ostream>
#include <utility>

#include "referee/exit_code.h"
#include "referee/game/result/result.h"
#include "referee/game/trace/fork_point.h"

namespace referee::playouts {

LaunchedPlayouts::LaunchedPlayouts(daemon::SingleGame game,
                                   const showing::ReplayFrames& replay_frames, std::string file,
                                   const engines::Registry& registry)
    : game_(std::move(game)),
      replay_frames_(replay_frames),
      file_(std::move(file)),
      registry_(registry) {
    game_.show = false;
    game_.silent = true;
}

base::Result<std::vector<review::PlayedOut>, std::string> LaunchedPlayouts::play(
    const review::Branch& branch, const engines::State& /*from*/, std::uint64_t first,
    std::size_t count) {
    auto point = trace::fork_point(replay_frames_.replay(), file_, branch.turn, registry_);
    if (!point) {
        status_ = exit_bad_input;
        return base::failure(point.error().message);
    }
    if (!branch.moves.empty()) {
        const auto frame = replay_frames_.frame_after(branch.turn);
        point->past.turns.push_back({branch.moves, replay_frames_.facts(*frame).used_us});
    }
    game_.past = std::move(point->past);
    std::istream nobody(nullptr);
    std::ostream nowhere(nullptr);
    std::vector<review::PlayedOut> played;
    for (std::uint64_t number = first; number < first + count; ++number) {
        game_.number = static_cast<std::uint32_t>(number + 1);
        const auto ending = daemon::play_game(game_, nobody, nowhere);
        if (!ending.game || !counts(ending.game->status)) {
            status_ = ending.status;
            return base::failure("no playout could be played from turn " +
                                 std::to_string(branch.turn) + ": " + ending.message);
        }
        ++played_;
        if (ending.game->status == GameStatus::forfeited) ++forfeited_;
        played.push_back({review::worth_of(ending.game->outcome), ending.game->fingerprint});
    }
    return played;
}

}  // namespace referee::playouts
