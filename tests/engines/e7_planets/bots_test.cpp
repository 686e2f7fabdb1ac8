// The reference bots, in one process with the engine.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engines/e7_planets/e7_planets.h"
#include "sample_bots/cpp/e7_planets/players.h"
#include "tests/engines/e7_planets/scene.h"

namespace {

namespace e7 = engines::e7_planets;
using tests::Random;

using MakePlayer = std::unique_ptr<bots::Player> (*)(const bots::GameStart&);

// Plays a game to its end; of a hundred turns so many answers are lost on the way.
nlohmann::json played(const std::string& params, MakePlayer make, std::size_t lost_percent = 0,
                      std::vector<engines::Note>* notes = nullptr) {
    Random random(31);
    const auto state = tests::start(tests::e7_game(), params);
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(tests::state_text(*state)));
    const auto player = make({"game-1", "e7_planets", 0, {"bot"}, {}, document.root()});
    for (std::int64_t number = 1; !state->over(); ++number) {
        EXPECT_TRUE(document.parse(tests::state_text(*state)));
        const auto move = player->move({number, 1'000'000, document.root()});
        const auto news = tests::play(*state, {random.chance(lost_percent) ? "null" : move});
        if (notes != nullptr) notes->insert(notes->end(), news.begin(), news.end());
    }
    return tests::outcome_json(*state).at("detail");
}

std::string params_of(const std::string& name) {
    return tests::e7_game().maps()->params_for_map(name);
}

TEST(Reading, GivesThePositionOfTheEngine) {
    Random random(32);
    for (int i = 0; i < 500; ++i) {
        const auto params = tests::params_of(tests::random_map(random));
        if (!tests::accepts(tests::e7_game(), params)) continue;
        const auto game = tests::start(tests::e7_game(), params);
        const auto& state = dynamic_cast<const e7::PlanetsState&>(*game);
        protocol::json::Document document;
        while (!game->over()) {
            ASSERT_TRUE(document.parse(tests::state_text(*game)));
            const auto position = bots::e7_planets::read_position(state.map(), document.root());
            ASSERT_TRUE(position);
            ASSERT_EQ(*position, state.position()) << tests::state_text(*game);
            tests::play_letters(*game, std::string(1, "UDLR."[random.below(5)]));
        }
    }
}

TEST(GreedyBot, GoesTheQuickestWay) {
    struct Case {
        tests::Scene scene;
        int turns;
    };
    const std::vector<Case> cases = {
        {{{"@..$", "...."}, {}, {}, 20}, 1},  // around the edge
        {{{"@.....#", ".####.#", "$.....#", "######."}, {}, {}, 20}, 2},
        {{{"#######", "#@9.$.#", "#..#..#", "#.....#", "#######"}, {}, {}, 20},
         7},  // around the nebula
        {{{"#######", "#@1..$#", "#..#..#", "#.....#", "#######"}, {}, {}, 20}, 5},  // through it
        {{{"#.#", "#@#", "#.#", "#$#", "#.#"}, {}, {{2, 2, 3}}, 20}, 5},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        std::vector<engines::Note> notes;
        const auto detail = played(tests::params_of(tests::map_of(cases[i].scene)),
                                   bots::e7_planets::make_greedy, 0, &notes);
        EXPECT_EQ(detail.at("n_turns"), cases[i].turns) << i;
        EXPECT_EQ(tests::codes(notes), std::vector<std::string>{"won"}) << i;
    }
}

TEST(PlannerBot, MakesNoMoveThatCannotBeCarriedOut) {
    for (const std::string name : {"one_scrap", "two_scrap_nebula_ghosts", "type3_01"}) {
        std::vector<engines::Note> notes;
        played(params_of(name), bots::e7_planets::make_planner, 0, &notes);
        EXPECT_EQ(notes.size(), 1U) << name;  // nothing but the end
        EXPECT_GE(played(params_of(name), bots::e7_planets::make_planner, 10).at("n_turns"), 1);
    }
}

}  // namespace
