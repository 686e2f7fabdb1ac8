// Bricks are conserved: none vanishes, none appears but under a player that moves off.

#include <gtest/gtest.h>

#include <algorithm>

#include "engines/walls/walls.h"
#include "tests/engines/conformance/driver.h"

namespace engines::walls {
namespace {

using nlohmann::json;

std::string joined(const json& board) {
    std::string squares;
    for (const auto& row : board) squares += row.get<std::string>();
    return squares;
}

std::size_t index_of(const json& player, std::size_t size) {
    return player.at("at").at(0).get<std::size_t>() * size +
           player.at("at").at(1).get<std::size_t>();
}

void expect_conserved(const json& before, const json& after, std::size_t mover) {
    const auto size = before.at("size").get<std::size_t>();
    const auto old_squares = joined(before.at("board"));
    const auto new_squares = joined(after.at("board"));
    ASSERT_EQ(new_squares.size(), size * size);
    const auto left = index_of(before.at("players").at(mover), size);
    for (std::size_t i = 0; i < new_squares.size(); ++i) {
        if (i == left && old_squares[i] == '.') continue;
        ASSERT_EQ(new_squares[i], old_squares[i]) << "square " << i;
    }
    for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto& player = after.at("players").at(seat);
        ASSERT_EQ(std::count(new_squares.begin(), new_squares.end(), "AB"[seat]),
                  player.at("bricks").get<int>());
        ASSERT_NE(new_squares[index_of(player, size)], "BA"[seat]) << "stands on a strange brick";
        const auto gained =
            player.at("bricks").get<int>() - before.at("players").at(seat).at("bricks").get<int>();
        ASSERT_TRUE(gained == 0 || (gained == 1 && seat == mover));
        if (seat != mover) {
            ASSERT_EQ(player, before.at("players").at(seat));
        } else {
            ASSERT_EQ(player.at("idle") == 0, gained == 1);
        }
    }
}

TEST(Property, BricksAreConserved) {
    constexpr std::string_view letters = "FFFLR?";
    const auto game = make_game({});
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        tests::Random random(seed);
        const auto size = 3 + 2 * random.below(4);
        const auto state = tests::start(*game, "{\"size\":" + std::to_string(size) + "}");
        int moves = 0;
        while (!state->over()) {
            const auto before = tests::state_json(*state);
            const std::string move =
                "\"" + std::string(1, letters[random.below(letters.size())]) + "\"";
            tests::play(*state, {move, move});
            ++moves;
            expect_conserved(before, tests::state_json(*state),
                             before.at("to_move").get<std::size_t>());
            if (HasFatalFailure()) return;
        }
        EXPECT_EQ(tests::outcome_json(*state).at("detail").at("moves"), moves);
    }
}

}  // namespace
}  // namespace engines::walls
