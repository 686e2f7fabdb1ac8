#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "referee/contest/formats/schedule.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/contest/formats/told_games.h"

namespace referee::formats {
namespace {

using engines::Score;

TEST(NewGames, IsNewWhereAnyGameIs) {
    const auto match = [](const std::vector<std::string>& fingerprints) {
        standings::MatchResult result;
        result.counted = games_with(fingerprints);
        return result;
    };
    const std::vector<standings::MatchResult> matches = {
        match({"a", "b"}), match({"b", "a"}), match({"a", "c"}), match({"a"}), match({"a", "a"}),
        match({"", "a"}),  match({"", "a"}),  match({}),         match({}),    match({"c", "a"})};
    EXPECT_EQ(new_matches(matches),
              (std::vector<bool>{true, false, true, true, false, true, true, true, true, false}));
}

TEST(MatchFold, KeepsWhatEachGameWasWorthAndItsFingerprint) {
    MatchConfig config{.games = 3};
    auto first = game(1, {5, 0});
    first.fingerprint = "one";
    const auto result =
        fold_match(config, pairing_of(2),
                   std::vector<GameResult>{first, game(2, {1, 1}), game(3, {1, 0})}, plain)
            .result;
    // Won, level, won: whatever the scores.
    EXPECT_EQ(result.game_points, (std::vector{Score::halves(5), Score::halves(1)}));
    EXPECT_DOUBLE_EQ(share_of_games(result, 0), 5.0 / 6);
    EXPECT_EQ(result.counted[0].fingerprint, "one");
}

TEST(MatchFold, AnArbitersResultIsWorthWhatItSaysThoughNoGameCounts) {
    EXPECT_DOUBLE_EQ(share_of_games(ruled_result(pairing_of(2), {1, 2}, {}), 0), 1);
    EXPECT_DOUBLE_EQ(share_of_games(ruled_result(pairing_of(2), {2, 1}, {}), 0), 0);
    EXPECT_DOUBLE_EQ(share_of_games(ruled_result(pairing_of(2), {1, 1}, {}), 0), 0.5);
}

TEST(MatchFold, TellsWhichProgramsPlayed) {
    MatchConfig config{.games = 2};
    auto first = game(1, {1, 0});
    auto second = game(2, {1, 0});  // the bots have changed seats
    first.program = {"a", "b"};
    second.program = {"b", "a"};
    const auto fold = [&] {
        return fold_match(config, pairing_of(2), std::vector<GameResult>{first, second}, plain)
            .result;
    };
    EXPECT_EQ(fold().programs, (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(fold().programs_mixed);
    second.program = {"c", "a"};
    EXPECT_EQ(fold().programs, (std::vector<std::string>{"a", "c"}));
    EXPECT_TRUE(fold().programs_mixed);
    first.program = {};
    second.program = {"", "a"};
    EXPECT_EQ(fold().programs, (std::vector<std::string>{"a", ""}));
    EXPECT_FALSE(fold().programs_mixed);
}

TEST(PlannedGames, SeatsRotateByOnePlaceAGameOnTheSameSeed) {
    MatchConfig config{.games = 8};
    const auto pairing = pairing_of(4);
    for (std::uint32_t number = 1; number <= 8; ++number) {
        const auto planned = planned_game(config, pairing, number, 5, {});
        for (std::size_t seat = 0; seat < 4; ++seat) {
            EXPECT_EQ(planned.seats[(seat + number - 1) % 4], 10 + seat);
        }
        const auto first = planned_game(config, pairing, number <= 4 ? 1 : 5, 5, {});
        EXPECT_EQ(planned.seed, first.seed);
    }
    EXPECT_NE(planned_game(config, pairing, 1, 5, {}).seed,
              planned_game(config, pairing, 5, 5, {}).seed);
}

TEST(PlannedGames, SameSeatsTakeSetupsInTurn) {
    MatchConfig config{.games = 4, .seat_order = SeatOrder::same, .setups = 2};
    const auto pairing = pairing_of(2);
    std::vector<std::size_t> setups;
    std::set<std::uint32_t> seeds;
    for (std::uint32_t number = 1; number <= 4; ++number) {
        const auto planned = planned_game(config, pairing, number, 5, {});
        EXPECT_EQ(planned.seats, pairing.seats);
        setups.push_back(planned.setup);
        seeds.insert(planned.seed);
    }
    EXPECT_EQ(setups, (std::vector<std::size_t>{0, 1, 0, 1}));
    EXPECT_EQ(seeds.size(), 2U);
}

// Everybody has each seat on each start, and all starts come about equally often.
TEST(PlannedGames, StartsAreDrawn) {
    constexpr std::size_t setups = 6;
    constexpr std::uint64_t matches = 3000;
    for (const auto order : {SeatOrder::rotate, SeatOrder::same}) {
        MatchConfig config;
        config.games = 2;
        config.setups = setups;
        config.seat_order = order;
        config.starts = Starts::drawn;
        EXPECT_EQ(wrong_starts(config, 2), "");
        std::vector<std::uint64_t> times(setups, 0);
        for (std::uint64_t match = 1; match <= matches; ++match) {
            auto pairing = pairing_of(2);
            pairing.match = match;
            const auto one = planned_game(config, pairing, 1, 5, {});
            const auto other = planned_game(config, pairing, 2, 5, {});
            ++times[one.setup];
            ++times[other.setup];
            if (order == SeatOrder::rotate) {
                EXPECT_EQ(one.setup, other.setup);
                EXPECT_EQ(one.seats[0], other.seats[1]);
            } else {
                EXPECT_EQ(one.setup % 2, 0U) << "the two that belong together";
                EXPECT_EQ(one.setup + 1, other.setup);
            }
            EXPECT_EQ(one.setup, planned_game(config, pairing, 1, 5, {}).setup);
        }
        for (const auto count : times)
            EXPECT_NEAR(static_cast<double>(count), 2.0 * matches / setups, 150);
    }
}

TEST(PlannedGames, StartsThatCannotBeDrawnAreToldOf) {
    MatchConfig config{.games = 2};
    EXPECT_EQ(wrong_starts(config, 2), "");
    config.starts = Starts::drawn;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("at least two starts"));
    config.setups = 3;
    EXPECT_EQ(wrong_starts(config, 2), "");
    config.games = 3;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("a multiple of 2, found 3"));
    config.games = 2;
    config.seat_order = SeatOrder::same;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("expected \"seats\": \"rotate\""));
    config.setups = 1;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("at least two starts"));
    config.setups = 5;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("a multiple of 2 of them, found 5"));
    config.solo = true;
    EXPECT_THAT(wrong_starts(config, 2), testing::HasSubstr("solo games"));
}

TEST(PlannedGames, SoloGamesAreTheSameForEverybody) {
    MatchConfig config{.games = 3, .setups = 3, .solo = true};
    EXPECT_EQ(games_most(config, 2), 6U);
    auto other = pairing_of(2);
    other.match = 2;
    for (std::uint32_t setup = 0; setup < 3; ++setup) {
        const auto first = planned_game(config, pairing_of(2), setup * 2 + 1, 5, {});
        const auto second = planned_game(config, pairing_of(2), setup * 2 + 2, 5, {});
        EXPECT_EQ(first.seats, std::vector<Entrant>{10});
        EXPECT_EQ(second.seats, std::vector<Entrant>{11});
        EXPECT_EQ(first.setup, setup);
        EXPECT_EQ(second.setup, setup);
        EXPECT_EQ(first.seed, second.seed);
        EXPECT_EQ(first.seed, planned_game(config, other, setup * 2 + 1, 5, {}).seed);
    }
    config.seeds = {7, 8};
    EXPECT_EQ(planned_game(config, other, 1, 5, {}).seed, 7U);
    EXPECT_EQ(planned_game(config, other, 3, 5, {}).seed, 8U);
    EXPECT_EQ(planned_game(config, other, 5, 5, {}).seed, 7U);
}

TEST(MatchFold, TwoSeatsGetOneHalfOrNothingBySumOfScores) {
    MatchConfig config{.games = 2, .seat_order = SeatOrder::same};
    struct Case {
        std::vector<std::int64_t> first;
        std::vector<std::int64_t> second;
        std::vector<std::int64_t> points_halves;
    };
    for (const auto& [first, second, points] :
         {Case{{2, 0}, {2, 0}, {2, 0}}, Case{{2, 0}, {0, 2}, {1, 1}},
          Case{{1, 1}, {0, 2}, {0, 2}}}) {
        const std::vector<GameResult> results = {game(1, first), game(2, second)};
        const auto tally = fold_match(config, pairing_of(2), results, plain);
        EXPECT_TRUE(tally.over);
        EXPECT_EQ(halves(tally.result.points), points);
        config.points = MatchPoints::scores;
        const auto sums = fold_match(config, pairing_of(2), results, plain);
        EXPECT_EQ(sums.result.points, sums.result.scores);
        EXPECT_EQ(sums.result.scores[0],
                  results[0].outcome.scores[0] + results[1].outcome.scores[0]);
        config.points = MatchPoints::result;
    }
}

TEST(MatchFold, RotatedSeatsAreFoldedBackToEntrants) {
    MatchConfig config{.games = 4, .points = MatchPoints::scores};
    // Seat 0 always gets 3, seat 1 gets 2 ...: after four games everybody sat in each seat once.
    std::vector<GameResult> results;
    for (std::uint32_t number = 1; number <= 4; ++number)
        results.push_back(game(number, {3, 2, 1, 0}));
    auto tally = fold_match(config, pairing_of(4), results, plain);
    EXPECT_EQ(halves(tally.result.points), (std::vector<std::int64_t>{12, 12, 12, 12}));
    results.pop_back();
    tally = fold_match(config, pairing_of(4), results, plain);
    EXPECT_FALSE(tally.over);
    EXPECT_EQ(tally.games_left, 1U);
    // Entrant of seat s sat on s, s+1, s+2: 3+2+1, 2+1+0, 1+0+3, 0+3+2.
    EXPECT_EQ(halves(tally.result.scores), (std::vector<std::int64_t>{12, 6, 8, 10}));
}

TEST(MatchFold, BestOfThreeStopsWhenDecided) {
    MatchConfig config{.games = 3, .best_of = true, .seat_order = SeatOrder::same};
    std::vector<GameResult> results = {game(1, {0, 1})};
    EXPECT_FALSE(fold_match(config, pairing_of(2), results, plain).over);
    results.push_back(game(2, {0, 1}));
    auto tally = fold_match(config, pairing_of(2), results, plain);
    EXPECT_TRUE(tally.over);
    EXPECT_EQ(tally.games_left, 0U);
    EXPECT_EQ(tally.result.placing, (std::vector<int>{2, 1}));
    // A third game that was on already changes nothing.
    results.push_back(game(3, {9, 0}));
    EXPECT_EQ(fold_match(config, pairing_of(2), results, plain).result.scores, tally.result.scores);
    // It decides nothing either while the second game has no result.
    results.erase(results.begin() + 1);
    EXPECT_FALSE(fold_match(config, pairing_of(2), results, plain).over);
}

TEST(MatchFold, BestOfThreeWithoutTwoWinsGoesByWinsScoresTime) {
    MatchConfig config{.games = 3, .best_of = true, .seat_order = SeatOrder::same};
    const auto placing = [&](std::vector<GameResult> results) {
        const auto tally = fold_match(config, pairing_of(4), results, plain);
        EXPECT_TRUE(tally.over);
        return tally.result.placing;
    };
    EXPECT_EQ(placing({game(1, {3, 2, 1, 0}), game(2, {0, 3, 2, 1}), game(3, {2, 2, 0, 2})}),
              (std::vector<int>{2, 1, 3, 3}));
    auto by_time = std::vector<GameResult>{game(1, {3, 0, 1, 1}), game(2, {0, 3, 1, 1}),
                                           game(3, {1, 1, 3, 0})};
    by_time[0].used_us = {500, 400, 0, 0};
    EXPECT_EQ(placing(by_time), (std::vector<int>{3, 2, 1, 4}));
}

TEST(MatchFold, SoloGamesAreComparedOnEachSetup) {
    MatchConfig config{.games = 3, .solo = true};
    // First wins two setups narrowly and loses one by far.
    const std::vector<GameResult> results = {game(1, {5}), game(2, {4}), game(3, {7}),
                                             game(4, {6}), game(5, {0}), game(6, {100})};
    auto tally = fold_match(config, pairing_of(2), results, plain);
    EXPECT_TRUE(tally.over);
    EXPECT_EQ(halves(tally.result.points), (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ(halves(tally.result.scores), (std::vector<std::int64_t>{24, 220}));
    config.points = MatchPoints::scores;
    tally = fold_match(config, pairing_of(2), results, plain);
    EXPECT_EQ(halves(tally.result.points), (std::vector<std::int64_t>{4, 2}));
}

TEST(MatchFold, AloneThePointsAreTheScores) {
    MatchConfig config{.games = 2, .solo = true};
    const auto tally = fold_match(config, pairing_of(1),
                                  std::vector<GameResult>{game(1, {5}), game(2, {6})}, plain);
    EXPECT_EQ(halves(tally.result.points), std::vector<std::int64_t>{22});
    EXPECT_EQ(tally.result.games, 2U);
}

TEST(MatchFold, OrderAndAttemptsAreSortedOut) {
    MatchConfig config{.games = 2, .seat_order = SeatOrder::same};
    auto annulled = game(1, {0, 2});
    annulled.status = GameStatus::annulled;
    std::vector<GameResult> results = {annulled, game(1, {2, 0}, 2), game(2, {1, 1})};
    const auto wanted = fold_match(config, pairing_of(2), results, plain).result.scores;
    EXPECT_EQ(halves(wanted), (std::vector<std::int64_t>{6, 2}));
    std::ranges::sort(results,
                      [](const GameResult& a, const GameResult& b) { return b.key < a.key; });
    EXPECT_EQ(fold_match(config, pairing_of(2), results, plain).result.scores, wanted);
}

TEST(MatchFold, WhoNeverComesIsAbsentAndGetsNothing) {
    MatchConfig config{.games = 2, .seat_order = SeatOrder::same};
    std::vector<GameResult> results = {missed(1, {2, 0}, 1), missed(2, {2, 0}, 1)};
    auto tally = fold_match(config, pairing_of(2), results, plain);
    EXPECT_TRUE(tally.result.forfeit());
    EXPECT_EQ(tally.result.absent, (std::vector<bool>{false, true}));
    EXPECT_EQ(halves(tally.result.points), (std::vector<std::int64_t>{2, 0}));
    // Somebody who comes to the second game was there.
    results[1] = game(2, {0, 2});
    EXPECT_FALSE(fold_match(config, pairing_of(2), results, plain).result.forfeit());
    // Nobody came.
    auto nobody = missed(1, {0, 2}, 0);  // as the first one's forfeit ends the game
    nobody.faults.push_back(nobody.faults[0]);
    nobody.faults[1].seat = 1;
    config.games = 1;
    tally = fold_match(config, pairing_of(2), std::vector<GameResult>{nobody}, plain);
    EXPECT_EQ(halves(tally.result.points), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(halves(tally.result.scores), (std::vector<std::int64_t>{0, 0}));
    EXPECT_EQ(tally.result.counted[0].scores[1], engines::Score{});
    EXPECT_EQ(tally.result.placing, (std::vector<int>{1, 1}));
    EXPECT_EQ(tally.result.wins, (std::vector<std::uint32_t>{0, 0}));
}

TEST(MatchFold, APodGoesOnWithoutWhoDidNotCome) {
    MatchConfig config{.points = MatchPoints::scores};
    // The other three played; the missing one was put out before the first turn.
    auto pod = game(1, {2, 3, 0, 1});
    auto absence = missed(1, {}, 2).faults[0];
    absence.rule = "match.no_show";
    pod.faults.push_back(absence);
    const auto result =
        fold_match(config, pairing_of(4), std::vector<GameResult>{pod}, plain).result;
    EXPECT_EQ(result.absent, (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(result.placing, (std::vector<int>{2, 1, 4, 3}));
    // Who loses its connection in the game had come to it.
    pod.faults[0].rule = "connection.lost";
    EXPECT_FALSE(
        fold_match(config, pairing_of(4), std::vector<GameResult>{pod}, plain).result.forfeit());
}

TEST(MatchFold, TellsWhyABotWasIdleByItsFault) {
    auto played = game(1, {0, 1});
    EXPECT_EQ(cause_of_idleness(played, 0), "");
    Fault fault;
    fault.seat = 0;
    fault.code = FaultCode::disconnected;
    fault.consequence = Consequence::forfeit;
    fault.rule = "match.no_show";
    fault.message = "ann did not show up for the game";
    played.faults = {fault};
    EXPECT_EQ(cause_of_idleness(played, 0), "") << "nobody knows";
    fault.message += ": its process ended before it logged in: exit status 1";
    played.faults = {fault};
    EXPECT_EQ(cause_of_idleness(played, 0), "its process ended before it logged in: exit status 1");
    EXPECT_EQ(cause_of_idleness(played, 1), "");
    fault.rule = "connection.lost";
    fault.code = FaultCode::crashed;
    fault.message = "ann's process has ended by signal 9";
    played.faults = {fault};
    EXPECT_EQ(cause_of_idleness(played, 0), fault.message);
}

TEST(MatchFold, TellsTheGamesThatCounted) {
    MatchConfig config{.games = 3, .best_of = true};
    auto annulled = game(1, {2, 0});
    annulled.status = GameStatus::annulled;
    const std::vector<GameResult> results = {annulled, game(1, {2, 0}, 2), game(2, {0, 2})};
    const auto counted = fold_match(config, pairing_of(2), results, plain).result.counted;
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(counted[0].attempt, 2U);
    EXPECT_EQ(counted[1].number, 2U);
    // Seats rotate: the scores are by match seat all the same.
    EXPECT_EQ(counted[1].scores[0], Score::whole(2));
}

}  // namespace
}  // namespace referee::formats
