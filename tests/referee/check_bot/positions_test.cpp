#include "referee/check_bot/trial_game.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engines/registry.h"
#include "referee/game/play/play.h"

namespace referee::check_bot {
namespace {

constexpr Duration budget = std::chrono::seconds(1);

std::unique_ptr<engines::State> start_of(const engines::Game& game, const Position& position) {
    protocol::json::Document params;
    if (!params.parse(params_of(position, budget), {.depth_max = play::params_depth_max}))
        return nullptr;
    auto started = game.start(params.root(), position.seed);
    return started ? *std::move(started) : nullptr;
}

TEST(Positions, EachGameHasAPlainOneAndOddOnes) {
    const engines::Registry registry;
    for (const auto& game : registry.games()) {
        const auto count = std::count_if(
            positions().begin(), positions().end(),
            [&](const Position& position) { return position.game == game->info().id; });
        EXPECT_GE(count, 3) << game->info().id << " needs positions in trial_game.cpp";
    }
}

TEST(Positions, EachIsAGameInWhichTheBotHasASeat) {
    const engines::Registry registry;
    for (const auto& position : positions()) {
        const auto* game = registry.find(position.game);
        ASSERT_NE(game, nullptr) << position.game;
        const auto state = start_of(*game, position);
        ASSERT_NE(state, nullptr) << position.game << ": " << position.what;
        EXPECT_LT(position.seat, state->seats()) << position.what;
    }
}

// What a light cycle's rule of time allows grows with the time that a bot is given.
TEST(Positions, WhoIsGivenMoreTimeHasALargerMean) {
    for (const auto& position : positions()) {
        const auto params = params_of(position, budget);
        EXPECT_EQ(params.find("\"mean_budget_us\":1000000") != std::string::npos,
                  position.game == "light_cycles");
    }
}

}  // namespace
}  // namespace referee::check_bot
