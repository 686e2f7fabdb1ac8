// Matches of which one has to go on.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/referee/contest/formats/told_games.h"

namespace referee::formats {
namespace {

TEST(PlannedGames, ExtraGamesExchangeSeatsOnASetupAndASeedOfTheirOwn) {
    for (const auto order : {SeatOrder::rotate, SeatOrder::same}) {
        for (const std::uint32_t games : {1U, 2U, 3U}) {
            MatchConfig config{.games = games, .seat_order = order, .setups = 2};
            MatchTerms terms{.one_goes_on = true, .extra_games = 4};
            const auto most = games_most(config, 2, terms);
            EXPECT_EQ(most, games == 1 ? 4U : 6U) << "an even number";
            std::set<std::uint32_t> seeds;
            for (std::uint32_t number = 1; number <= games; ++number)
                seeds.insert(planned_game(config, pairing_of(2), number, 5, terms).seed);
            for (std::uint32_t number = games + 1; number <= most; ++number) {
                const auto planned = planned_game(config, pairing_of(2), number, 5, terms);
                const auto before = planned_game(config, pairing_of(2), number - 1, 5, terms);
                if (number % 2 == 1) {
                    EXPECT_TRUE(seeds.insert(planned.seed).second) << number;
                    continue;
                }
                EXPECT_EQ(planned.seats[0], before.seats[1]);
                EXPECT_EQ(planned.seats[1], before.seats[0]);
                EXPECT_EQ(planned.setup, before.setup);
                EXPECT_EQ(planned.seed, before.seed);
            }
        }
    }
}

TEST(MatchFold, ALevelMatchGoesOnUntilBothHadEachSeatEquallyOften) {
    MatchConfig config{.games = 2, .seat_order = SeatOrder::same};
    MatchTerms terms{.one_goes_on = true, .extra_games = 4};
    std::vector<GameResult> results = {game(1, {2, 0}), game(2, {0, 2})};
    const auto tally = [&] { return fold_match(config, pairing_of(2), results, plain, terms); };
    EXPECT_FALSE(tally().over);
    EXPECT_EQ(tally().games_due, 4U);
    results.push_back(game(3, {2, 0}));
    EXPECT_FALSE(tally().over) << "the other sits there next";
    // The seats are exchanged: the first entrant wins again.
    results.push_back(game(4, {0, 2}));
    EXPECT_TRUE(tally().over);
    EXPECT_EQ(tally().result.placing, (std::vector<int>{1, 2}));
    EXPECT_EQ(halves(tally().result.scores), (std::vector<std::int64_t>{12, 4}));
    EXPECT_EQ(tally().result.games, 4U);
    results.back() = game(4, {2, 0});
    EXPECT_EQ(tally().games_due, 6U);
    results.push_back(game(5, {1, 1}));
    results.push_back(game(6, {1, 1}));
    EXPECT_TRUE(tally().over) << "no more games";
    EXPECT_EQ(tally().result.placing, (std::vector<int>{1, 1}));
    EXPECT_EQ(halves(tally().result.points), (std::vector<std::int64_t>{1, 1}));
    // A first game that is played again decides: what came after the second counts for nothing.
    results[0] = game(1, {1, 1}, 2);
    EXPECT_TRUE(tally().over);
    EXPECT_EQ(tally().result.games, 2U);
    EXPECT_EQ(tally().result.placing, (std::vector<int>{2, 1}));
    // The last first: the same.
    std::ranges::reverse(results);
    EXPECT_EQ(tally().result.games, 2U);
    // Where nobody has to go on it is a draw.
    EXPECT_TRUE(fold_match(config, pairing_of(2),
                           std::vector<GameResult>{game(1, {2, 0}), game(2, {0, 2})}, plain)
                    .over);
}

TEST(MatchFold, NobodyPlaysOnWhereNobodyCame) {
    MatchConfig config;
    MatchTerms terms{.one_goes_on = true, .extra_games = 4};
    auto nobody = missed(1, {0, 0}, 0);
    nobody.faults.push_back(nobody.faults[0]);
    nobody.faults[1].seat = 1;
    const auto tally =
        fold_match(config, pairing_of(2), std::vector<GameResult>{nobody}, plain, terms);
    EXPECT_TRUE(tally.over);
    EXPECT_TRUE(tally.result.one_goes_on);
}

TEST(MatchFold, ALevelMatchOfSoloGamesHasMoreSetups) {
    MatchConfig config{.solo = true};
    MatchTerms terms{.one_goes_on = true, .extra_games = 2};
    std::vector<GameResult> results = {game(1, {5}), game(2, {5})};
    const auto tally = [&] { return fold_match(config, pairing_of(2), results, plain, terms); };
    EXPECT_EQ(tally().games_due, 4U);
    results.push_back(game(4, {7}));
    EXPECT_FALSE(tally().over);
    results.push_back(game(3, {6}));
    EXPECT_TRUE(tally().over);
    EXPECT_EQ(tally().result.placing, (std::vector<int>{2, 1}));
    results.back() = game(3, {7});
    EXPECT_EQ(tally().games_due, 6U);
}

TEST(MatchFold, TimeDecidesOnlyWhereTheGamesRulesSaySo) {
    MatchConfig config{.games = 3, .best_of = true};
    auto results = std::vector<GameResult>{game(1, {1, 1}), game(2, {1, 1}), game(3, {1, 1})};
    for (auto& result : results) result.used_us = {1, 1};
    results[0].used_us = {1, 2};
    EXPECT_EQ(fold_match(config, pairing_of(2), results, plain).result.placing,
              (std::vector<int>{1, 2}));
    config.least_time = false;
    EXPECT_EQ(fold_match(config, pairing_of(2), results, plain).result.placing,
              (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace referee::formats
