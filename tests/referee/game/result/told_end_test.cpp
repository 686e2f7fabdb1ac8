#include "referee/game/result/game_result.h"

#include <gtest/gtest.h>

#include "engines/registry.h"

namespace referee {
namespace {

struct EndCase {
    std::string game, params, detail;
    engines::Seat seat;
    std::string told;
};

GameResult result_of(const EndCase& row) {
    GameResult result;
    result.game = row.game;
    result.params = row.params;
    result.outcome.detail = row.detail;
    result.reason = "ended by the game's rules";
    return result;
}

TEST(ToldEnd, IsInTheWordsOfTheRules) {
    const engines::Registry registry;
    const std::string cycles =
        R"({"winner": 1, "eliminated_turn": [84, null, 90, 84], "turns": 90, "survivors": 2})";
    for (const auto& row : {
             EndCase{"walls", R"({"size": 3, "first": 0})", R"({"bricks": [4, 5], "moves": 30})", 0,
                     "laid 4 bricks, the other player 5; the game ended after 30 moves, when every "
                     "square had a brick"},
             EndCase{"walls", R"({"size": 3, "first": 0})", R"({"bricks": [1, 1], "moves": 20})", 1,
                     "laid 1 brick, as many as the other player; the game ended after 20 moves, "
                     "when both were stalled: 9 moves in a row without a new brick"},
             EndCase{"light_cycles", "{}", cycles, 0,
                     "its last cycle was terminated in turn 84; 2 teams lasted longer, 1 as long"},
             EndCase{"light_cycles", "{}", cycles, 1,
                     "outlasted all others, with 2 living cycles after 90 turns"},
             EndCase{
                 "e7_planets", "{}",
                 R"({"win": false, "n_turns": 7, "score": 5, "scraps_total_value": 9,
                     "scraps_picked_up": [{}], "scraps_left": [{}, {}], "caught": true,
                     "ghosts_catch_samespot": [1], "ghosts_catch_switch": [3]})",
                 0,
                 "picked up 1 of 3 scraps, worth 5 of 9 (reachable or not); the ship was caught "
                 "in turn 7, on the same cell as ghost 1, as it changed places with ghost 3"},
             EndCase{"snake_labyrinth", R"({"max_steps": 40, "on_illegal": "stay"})",
                     R"({"finished": false, "coins": 1, "steps": 40, "illegal_moves": 2})", 0,
                     "was still inside the maze when all 40 steps (2 illegal moves among them) "
                     "were used up, which scores 0"},
             EndCase{"snake_labyrinth", R"({"max_steps": 40, "on_illegal": "void"})",
                     R"({"finished": false, "coins": 1, "steps": 3, "illegal_moves": 1})", 0,
                     "was still inside the maze after 3 steps, which scores 0"},
             EndCase{"superball", "{}", R"({"score": 7, "moves": 3, "ended_by": "full"})", 0,
                     "scored 7 with 3 moves; it ended because the board was full"},
             EndCase{"superball", "{}", R"({"score": 0, "moves": 3, "ended_by": "pace"})", 0,
                     "scored 0 with 3 moves, none of them a SCORE; it ended because it was too "
                     "slow for its points"},
             EndCase{"superball", "{}", R"({"score": 0, "moves": 3, "ended_by": "missing"})", 0,
                     "scored 0 with 3 moves; it ended because no move was given, which leaves no "
                     "points"},
         }) {
        EXPECT_EQ(told_end(*registry.find(row.game), result_of(row), row.seat), row.told);
    }
}

TEST(ToldEnd, OfAGameItIsTheBestSeats) {
    const engines::Registry registry;
    auto result =
        result_of({"walls", R"({"size": 3})", R"({"bricks": [2, 3], "moves": 20})", 0, ""});
    result.bots = {"ann", "bob"};
    result.outcome.placing = {2, 1};
    EXPECT_TRUE(told_of_best(*registry.find("walls"), result)
                    .starts_with("bob laid 3 bricks, the other player 2; "));
    auto alone =
        result_of({"superball", "{}", R"({"score": 7, "moves": 3, "ended_by": "full"})", 0, ""});
    alone.bots = {"ann"};
    alone.outcome.placing = {1};
    EXPECT_TRUE(told_of_best(*registry.find("superball"), alone).starts_with("scored 7 with 3 "));
}

TEST(ToldEnd, AVerdictHasTheSeatsOwnScoreFirst) {
    GameResult result;
    const auto of = [&](std::vector<int> scores, std::vector<int> placing, engines::Seat seat) {
        result.outcome.scores.clear();
        for (const auto score : scores)
            result.outcome.scores.push_back(engines::Score::whole(score));
        result.outcome.placing = std::move(placing);
        return told_verdict(result, seat);
    };
    EXPECT_EQ(of({2, 0}, {1, 2}, 0), "won 2 : 0");
    EXPECT_EQ(of({2, 0}, {1, 2}, 1), "lost 0 : 2");
    EXPECT_EQ(of({1, 1}, {1, 1}, 1), "drew 1 : 1");
    EXPECT_EQ(of({1, 5, 3, 2}, {4, 1, 2, 3}, 2), "place 2 of 4, 3 : 1 : 5 : 2");
    EXPECT_EQ(of({1, 5, 3, 2}, {4, 1, 2, 3}, 1), "won 5 : 1 : 3 : 2");
    EXPECT_EQ(of({120}, {1}, 0), "scored 120");
}

TEST(ToldEnd, OfAGameThatWasForfeitedItIsTheReason) {
    const engines::Registry registry;
    auto result =
        result_of({"walls", R"({"size": 3})", R"({"bricks": [2, 3], "moves": 20})", 0, ""});
    result.status = GameStatus::forfeited;
    result.reason = "it crashed";
    EXPECT_EQ(told_end(*registry.find("walls"), result, 0), "it crashed");
}

}  // namespace
}  // namespace referee
