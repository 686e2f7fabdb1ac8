// Moves in words: of every game of the registry, and what the five say.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "protocol/json/printable.h"
#include "protocol/json/utf8.h"
#include "tests/engines/conformance/random_play.h"

namespace tests {
namespace {

std::string in_words(const engines::Game& game, const std::string& move) {
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(move)) << move;
    return game.move_in_words(document.root());
}

class MoveWords : public RandomPlay {};

// Empty words are none: then the move is told as it came.
TEST_P(MoveWords, ArePlainForWhatAGameLists) {
    each_game([&](RandomGame& game) {
        while (!game.state->over()) {
            for (Seat seat = 0; seat < game.state->seats(); ++seat) {
                if (!game.state->to_move()[seat]) continue;
                const auto legal = game.state->legal_moves(seat);
                if (!legal) return;
                for (const auto& move : legal->moves) {
                    const auto words = in_words(game.engine(), move);
                    EXPECT_TRUE(words.empty() || protocol::json::is_one_printable_line(words))
                        << move << ": " << words;
                }
            }
            game.step(game.next());
        }
    });
}

TEST_P(MoveWords, AreTextWhateverAMoveIs) {
    constexpr std::size_t texts = 5000;
    Random random(1);
    for (std::size_t i = 0; i < texts; ++i) {
        const auto move = random.chance(50)
                              ? random_json(random)
                              : mutated(random, std::string(engine().info().move_example));
        EXPECT_TRUE(protocol::json::is_utf8(in_words(engine(), move))) << move;
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, MoveWords, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

TEST(WordsOfMoves, OfEachGame) {
    const std::vector<std::tuple<std::string_view, std::string, std::string>> told{
        {"walls", R"("F")", "forward"},
        {"walls", R"("L")", "turn left"},
        {"walls", R"("R")", "turn right"},
        {"walls", R"("f")", ""},
        {"walls", "7", ""},
        {"e7_planets", R"("U")", "up"},
        {"e7_planets", R"("D")", "down"},
        {"e7_planets", R"("L")", "left"},
        {"e7_planets", R"("R")", "right"},
        {"e7_planets", R"(".")", "stay"},
        {"e7_planets", R"(["U"])", ""},
        {"superball", R"("SWAP 0 1 7 2")", "swap 0,1 and 7,2"},
        {"superball", R"("SCORE 5 0")", "score 5,0"},
        {"superball", R"("SCORE 5")", ""},
        {"superball", "null", ""},
        {"snake_labyrinth", R"("NNES")", "NNES"},
        {"snake_labyrinth", R"("NNNNNNNNNNEEEEEEEEEESSSSS")",
         "NNNNNNNNNNEEEEEEEEEESSSS\u2026 (25 steps)"},
        {"snake_labyrinth", R"("NNNNNNNNNNEEEEEEEEEESSS\u00e9")",
         "NNNNNNNNNNEEEEEEEEEESSS\u2026 (25 steps)"},
        {"snake_labyrinth", "{}", ""},
        {"light_cycles", "[[3,4],null,[-1,-1]]", "3,4  \u2013  \u2013"},
        {"light_cycles", R"([["x"],"up",[-5,2]])", R"("x"  "up"  -5,2)"},
        {"light_cycles", R"("up")", ""},
    };
    for (const auto& [game, move, words] : told)
        EXPECT_EQ(in_words(*registry().find(game), move), words) << game << ' ' << move;
}

}  // namespace
}  // namespace tests
