// The search for the best plan, against everything that can be done on small boards.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/maze.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"
#include "tests/engines/snake_labyrinth/game.h"

namespace {

namespace rules = engines::snake_labyrinth;
using bots::snake_labyrinth::Effort;
using bots::snake_labyrinth::Position;
using bots::snake_labyrinth::Route;
using rules::Walk;

const Effort little{.nodes_max = 2'000'000, .positions_max = 2'000};

// All that a position's future depends on, but the steps.
std::string likeness(const Walk& walk) {
    std::string text = walk.cells();
    const auto add = [&](std::int64_t number) { text += ',' + std::to_string(number); };
    add(walk.head());
    add(walk.coins());
    add(walk.drill_uses());
    for (const auto square : walk.body()) add(square);
    return text;
}

// Every position that there is, by fewest steps. Nothing where there are too many.
std::optional<Route> brute_force(const Position& from, std::size_t positions_max) {
    Route best;
    std::set<std::string> seen;
    std::vector<Walk> ring{from.walk};
    while (!ring.empty()) {
        std::vector<Walk> next;
        for (const auto& walk : ring) {
            if (walk.steps() == from.steps_max) continue;
            for (const auto direction : rules::all_directions) {
                Walk copy = walk;
                const auto step = copy.step(direction);
                if (step == Walk::Step::wall || step == Walk::Step::edge) continue;
                if (copy.has_left()) {
                    const Route route{"", true, copy.score(), copy.steps()};
                    if (route.is_better_than(best)) best = route;
                } else if (seen.insert(likeness(copy)).second) {
                    next.push_back(std::move(copy));
                }
            }
        }
        if (seen.size() > positions_max) return std::nullopt;
        ring = std::move(next);
    }
    return best;
}

rules::Board random_board(base::SplitMix& random) {
    while (true) {
        const auto columns = random.between(3, 6);
        const std::string_view cells =
            random.chance(50) ? "######           $$$$$!T_" : "#########    $$$$$$!!T";
        std::vector<std::string> rows(random.between(2, 4));
        std::ptrdiff_t coins = 0;
        for (auto& row : rows) {
            for (std::size_t c = 0; c < columns; ++c) row += cells[random.below(cells.size())];
            coins += std::ranges::count(row, '$');
        }
        rows[random.below(rows.size())][random.below(columns)] = '_';
        rows[random.below(rows.size())][random.below(columns)] = 'o';
        const std::vector<std::string_view> views(rows.begin(), rows.end());
        const auto board = rules::Board::from_rows(views);
        if (coins <= 5 && board) return *board;
    }
}

TEST(Best, IsOptimalOnRandomSmallBoards) {
    constexpr int boards = 300;
    constexpr std::size_t positions_max = 10'000;
    constexpr std::int64_t limits[] = {6, 12, 1000, 1000};
    base::SplitMix random(1);
    int compared = 0, drilled = 0, lost = 0, no_way = 0;
    while (compared < boards) {
        const Position from{Walk(random_board(random), random.chance(70)), limits[random.below(4)]};
        const auto expected = brute_force(from, positions_max);
        if (!expected) continue;
        ++compared;
        const auto plan = best_plan(from);
        const auto found = walk_route(from, plan);
        auto trace = plan + ", limit " + std::to_string(from.steps_max);
        for (std::size_t row = 0; row < from.walk.board().rows(); ++row)
            trace += "\n" + from.walk.board().row_text(row);
        SCOPED_TRACE(trace);
        ASSERT_EQ(found.is_out, expected->is_out);
        no_way += expected->is_out ? 0 : 1;
        if (!expected->is_out) continue;
        ASSERT_EQ(found.score, expected->score);
        ASSERT_EQ(found.steps, expected->steps);
        ASSERT_EQ(found.letters, plan) << "nothing to ignore";
        // What the boards had in them.
        Walk walk = from.walk;
        std::int64_t most = 0;
        for (const char letter : plan) {
            walk.step(*rules::direction_of(letter));
            most = std::max(most, walk.coins());
        }
        drilled += walk.drilled() > 0 ? 1 : 0;
        lost += walk.coins() < most ? 1 : 0;
    }
    EXPECT_GT(drilled, 5);
    EXPECT_GT(lost, 0);
    EXPECT_GT(no_way, 5);
}

TEST(Best, IsNeverBelowTheRightHandAndSaysTheSameAgain) {
    for (const auto& shipped : rules::shipped_mazes()) {
        const auto maze = rules::read_maze(shipped.text).value();
        const Position from{Walk(maze.board, rules::plays_with_body(maze.play_level())), 1000};
        const auto plan = best_plan(from, little);
        const auto best = walk_route(from, plan);
        EXPECT_TRUE(best.is_out) << shipped.name;
        EXPECT_EQ(best.letters, plan) << shipped.name;
        EXPECT_FALSE(walk_route(from, right_hand_plan(from)).is_better_than(best)) << shipped.name;
        if (&shipped == &rules::shipped_mazes().back()) {
            EXPECT_EQ(best_plan(from, little), plan);
        }
    }
}

// A machine that is far too slow still gets a way out, however early the guard calls.
TEST(Best, AnswersHoweverLateItIs) {
    const auto maze = rules::read_maze(rules::shipped_mazes().back().text).value();
    const Position from{Walk(maze.board, true), 1000};
    for (const int looks : {0, 1, 3, 10, 30}) {
        int left = looks;
        auto effort = little;
        effort.is_late = [&left] { return --left < 0; };
        const auto found = walk_route(from, best_plan(from, effort));
        EXPECT_TRUE(found.is_out) << looks;
        EXPECT_LT(left, 0) << "it looked at the guard at least once more";
        EXPECT_FALSE(walk_route(from, right_hand_plan(from)).is_better_than(found)) << looks;
    }
}

TEST(Best, WhereNothingLeadsOutItEndsTheGame) {
    const Position small{Walk(tests::board_of({"o #_"}), true), 20};
    EXPECT_EQ(best_plan(small), std::string(20, 'N'));
    std::vector<std::string> large(200, std::string(200, ' '));
    large[0][0] = 'o';
    large[0][1] = large[1][0] = '#';
    large[199][199] = '_';
    const Position locked_in{Walk(tests::board_of(large), true), 1000};
    EXPECT_EQ(best_plan(locked_in, {.nodes_max = 1'000'000}), std::string(1000, 'N'));
}

TEST(Best, TakesTheLargestBoard) {
    base::SplitMix random(5);
    std::vector<std::string> rows(256, std::string(256, ' '));
    for (auto& row : rows) {
        for (auto& cell : row) cell = "$##!T               "[random.below(20)];
    }
    rows[0][0] = 'o';
    rows[255][255] = '_';
    const Position from{Walk(tests::board_of(rows), true), 3000};
    const auto plan = best_plan(from, {.nodes_max = 5'000'000, .positions_max = 1000});
    const auto route = walk_route(from, plan);
    EXPECT_TRUE(route.is_out);
    EXPECT_GT(route.score, 1000 - 510) << "the straight way has 510 steps";
}

}  // namespace
