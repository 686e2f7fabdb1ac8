#pragma once

#include "engines/game.h"

namespace tests::sim::timing {

// A game without a game: each seat is to move in each turn, any move is good, and after so many
// turns it is over. {"turns": 20, "seats": 2}
class CountingGame final : public engines::Game {
 public:
    const engines::GameInfo& info() const override;
    engines::StartResult start(engines::json::View params, std::uint32_t seed) const override;
    std::string full_params(engines::json::View params) const override;
    std::optional<std::string> params_for(std::size_t seats) const override;
};

}  // namespace tests::sim::timing
