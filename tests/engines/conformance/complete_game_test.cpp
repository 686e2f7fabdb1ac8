// Nothing that belongs to a game is forgotten. Each message says what to add, and where.

#include "tests/engines/conformance/complete_game.h"

#include <gtest/gtest.h>

#include "tests/engines/conformance/games.h"
#include "tests/places.h"

namespace tests {
namespace {

class CompleteGame : public testing::TestWithParam<GameCase> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().id); }
};

TEST_P(CompleteGame, LacksNothing) {
    const auto programs = programs_of(GetParam().id);
    for (const auto& piece : missing_pieces(source_root(), engine().info(), programs)) {
        ADD_FAILURE() << piece;
    }
}

// That the files are there is not enough: here each whole game is played, whatever other test plays
// it too.
TEST_P(CompleteGame, ItsWholeGamesArePlayedAsWritten) {
    for (const auto& name : golden_names(source_root(), GetParam().id)) {
        SCOPED_TRACE(name);
        expect_golden(engine(), GetParam().id, name);
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, CompleteGame, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

TEST(MissingPieces, OfAGameThatHasNoneAreAllNamed) {
    constexpr std::string_view bots[] = {"go-fish-random"};
    engines::GameInfo info;
    info.id = "go_fish";
    info.title = "Go Fish";
    info.reference_bots = bots;
    const auto missing = missing_pieces(source_root(), info, {"walls-random"});
    for (const auto* piece :
         {"Add engines/go_fish/RULES.md",
          "In README.md add",
          "In engines/README.md add",
          "In configs/README.md add `go_fish` to the row",
          "In configs/schema.json add \"go_fish\"",
          "sample_bots/cpp/go_fish/CMakeLists.txt: a bot",
          "\"go-fish-random\", which is no program",
          "In sample_bots/README.md add",
          "In sample_bots/cpp/reference/reference_players.cpp add",
          "In sample_bots/cpp/reference/CMakeLists.txt add bots_go_fish",
          "sample_bots/templates/python/go_fish.py",
          "sample_bots/templates/c/go_fish.c",
          "In tests/program/play_test.py add to GAMES: \"go_fish\"",
          "configs/go-fish-round-robin.json",
          "configs/go-fish-swiss.json",
          "configs/go-fish-leaderboard.json",
          "In configs/README.md add to the table of samples: | `go-fish-round-robin",
          "In tests/program/configs_test.py add to QUICK: \"go_fish\"",
          "tests/engines/go_fish/CMakeLists.txt",
          "tests/models/go_fish.py",
          "In tests/models/models.py add to MODELS: \"go_fish\"",
          "In tests/models/models_test.py add to PLAYERS: \"go_fish\"",
          "tests/golden/go_fish/NAME.setup.json"}) {
        const auto names = [&](const std::string& one) {
            return one.find(piece) != std::string::npos;
        };
        EXPECT_EQ(std::count_if(missing.begin(), missing.end(), names), 1) << piece;
    }
    EXPECT_EQ(missing.size(), 28U) << "those, and templates of five languages more";
    info.reference_bots = {};
    const auto without = missing_pieces(source_root(), info, {});
    EXPECT_EQ(std::count(without.begin(), without.end(),
                         "In engines/go_fish set GameInfo::reference_bots: the names of its bots"),
              1);
}

}  // namespace
}  // namespace tests
