#include "referee/daemon/random_player.h"

#include <utility>

namespace referee::daemon {

RandomPlayer::RandomPlayer(const boost::asio::any_io_executor& loop, std::string name,
                           std::string token, const engines::Game& game, StateOf state,
                           std::uint64_t seed)
    : LocalBot(loop, {std::move(name), std::move(token), "the referee's random player"}, game),
      state_(std::move(state)),
      random_(seed) {}

void RandomPlayer::on_turn() {
    const auto* state = state_();
    const auto legal = state == nullptr ? std::nullopt : state->legal_moves(seat());
    if (legal) {
        answer(legal->moves[random_() % legal->moves.size()]);
    } else {
        answer(game().info().move_example);
    }
}

}  // namespace referee::daemon
