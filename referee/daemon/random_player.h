#pragma once

#include <functional>
#include <random>
#include <string_view>

#include "referee/daemon/local_bot.h"

namespace referee::daemon {

// An opponent for any game: plays one of the moves that the game lists as legal, or the game's
// example where it lists none. The same seed gives the same moves.
class RandomPlayer final : public LocalBot {
 public:
    // This word stands for a random player where a bot's command is expected.
    static constexpr std::string_view command = "random";

    using StateOf = std::function<const engines::State*()>;

    // `state` gives the game's present state while a turn of the player is on.
    RandomPlayer(const boost::asio::any_io_executor& loop, std::string name, std::string token,
                 const engines::Game& game, StateOf state, std::uint64_t seed);

 private:
    void on_turn() override;
    void on_told(std::string_view /*what is wrong with a random move*/) override {}

    StateOf state_;
    std::mt19937_64 random_;
};

}  // namespace referee::daemon
