// The annealing, whose trails the walk of the rules repeats, and the scout that it stands on.

#include "sample_bots/cpp/snake_labyrinth/annealing.h"

#include <gtest/gtest.h>

#include <string>

#include "engines/snake_labyrinth/maze.h"
#include "tests/engines/snake_labyrinth/game.h"

namespace {

namespace rules = engines::snake_labyrinth;
using namespace bots::snake_labyrinth;

Board scattered(base::SplitMix& random, std::size_t side) {
    std::vector<std::string> rows(side, std::string(side, ' '));
    for (auto& row : rows) {
        for (auto& one : row) one = "##$$$!T         "[random.below(16)];
    }
    rows[0][0] = 'o';
    rows[side - 1][side - 1] = '_';
    return tests::board_of(rows);
}

// Where nothing is in the way the scout needs as many steps as the atlas says.
TEST(LegScout, FindsWaysAsShortAsTheAtlasSays) {
    base::SplitMix random(4);
    int found = 0;
    for (int i = 0; i < 30; ++i) {
        const auto board = scattered(random, 12);
        const Grid grid(board);
        Atlas atlas(board, grid);
        LegScout scout(grid, atlas);
        const Walk walk(board, true, {{}, 0, static_cast<std::int64_t>(random.below(3)), 0});
        const Trail trail(walk, grid);
        for (Square target = 1; target < board.size(); ++target) {
            if (board.at(target) == rules::cell::wall || board.at(target) == rules::cell::exit)
                continue;
            for (std::uint8_t turn_order = 0; turn_order < LegStyle::turn_orders; ++turn_order) {
                const auto& way = scout.find(trail, target, {2, false, turn_order});
                const auto walls = static_cast<unsigned>(walk.drill_uses());
                const auto steps = atlas.steps_to(target)[Atlas::at(board.start(), walls)];
                ASSERT_EQ(way.size(), steps == Atlas::unreachable ? 0U : std::size_t{steps});
                if (way.empty()) continue;
                ++found;
                Trail walked = trail;
                for (const auto square : way) {
                    ASSERT_NE(std::ranges::find(grid.around(walked.head()), square),
                              grid.around(walked.head()).end());
                    walked.step_to(square);
                }
                EXPECT_EQ(walked.head(), target);
                EXPECT_GE(walked.drill_uses(), 0);
            }
        }
    }
    EXPECT_GT(found, 1000);
}

TEST(LegScout, CrossesTheBodyOnlyWhereItMay) {
    // The snake lies across the only corridor: it came in from the east and turned back.
    const auto board = tests::board_of({"#######", "# o   _", "# #####", "#######"});
    using enum Direction;
    const Walk walk(board, true, {{west, west, west}, 3, 0, 3});
    const Grid grid(board);
    Atlas atlas(board, grid);
    LegScout scout(grid, atlas);
    const Trail trail(walk, grid);
    EXPECT_TRUE(scout.find(trail, Atlas::exits, {0, false, 0}).empty());
    EXPECT_EQ(scout.find(trail, Atlas::exits, {0, true, 0}).size(), 4U);
}

TEST(Annealing, WalksByTheRulesAndGivesTheSameAgain) {
    for (const auto& shipped : rules::shipped_mazes()) {
        const auto maze = rules::read_maze(shipped.text).value();
        const Position from{Walk(maze.board, rules::plays_with_body(maze.play_level())), 1000};
        const Grid grid(maze.board);
        Annealing::Run run{{}, 5, 300'000, 12};
        Annealing first(from, grid, {}), second(from, grid, {});
        const auto order = first.run(run);
        EXPECT_EQ(second.run(run), order) << shipped.name;
        const auto& best = first.best();
        EXPECT_EQ(best.letters, second.best().letters) << shipped.name;
        if (!best.is_out) continue;
        const auto walked = walk_route(from, best.letters);
        EXPECT_TRUE(walked.is_out) << shipped.name;
        EXPECT_EQ(walked.score, best.score) << shipped.name;
        EXPECT_EQ(walked.letters, best.letters) << shipped.name;
        // Going on from what was found is never worse.
        run.order = order;
        run.seed = 6;
        first.run(run);
        EXPECT_GE(first.best().score, walked.score) << shipped.name;
    }
}

// Tables for all things of a large board would take gigabytes.
TEST(Annealing, ChoosesTheThingsNearTheWayOutOfALargeBoard) {
    std::vector<std::string> rows(256, std::string(256, '$'));
    rows[0][0] = 'o';
    rows[1][0] = '_';
    const Position large{Walk(tests::board_of(rows), true), 1000};
    const Grid grid(large.walk.board());
    const Annealing annealing(large, grid, {});
    ASSERT_GT(annealing.things().size(), 50U);
    EXPECT_LT(annealing.things().size(), 100U);
    for (const auto thing : annealing.things()) {
        EXPECT_LT(large.walk.board().row_of(thing), 20U);
        EXPECT_LT(large.walk.board().column_of(thing), 20U);
    }
    const Position small{Walk(tests::board_of({"o$!_"}), true), 1000};
    const Grid small_grid(small.walk.board());
    EXPECT_EQ(Annealing(small, small_grid, {}).things(), (std::vector<Square>{1, 2}));
}

}  // namespace
