#include "referee/grading/verdict/phrases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using testing::StartsWith;

TEST(GradingWords, TimesAreShort) {
    for (const auto& [text, shown] : std::vector<std::pair<std::string, std::string>>{
             {"took 60000.000 ms, of 50.000 ms", "took 60 s, of 50 ms"},
             {"0.000 ms", "0 ms"},
             {"999.999 ms and 1000.000 ms", "999.999 ms and 1 s"},
             {"1012.345 ms.", "1.012 s."},
             {"0.120 ms", "0.12 ms"},
             {"in 3.14 ms, 12 ms, 5.1234 ms, 1.000 m", "in 3.14 ms, 12 ms, 5.1234 ms, 1.000 m"},
             {"99999999999999999999.000 ms", "99999999999999999999.000 ms"},
             {"", ""}})
        EXPECT_EQ(with_short_times(text), shown);
}

TEST(GradingWords, OnlyAllIsAHundredPercentAndOnlyNothingNone) {
    for (const auto& [share, shown] : std::vector<std::pair<double, std::string>>{
             {0, "0%"}, {0.001, "1%"}, {0.475, "48%"}, {0.999, "99%"}, {1, "100%"}})
        EXPECT_EQ(percent(share), shown);
}

TEST(GradingWords, AGameIsNamedWithWhatItBeganFrom) {
    auto game = game_scored(1);
    EXPECT_EQ(in_game(game), "game ann.s/1.1");
    game.seed = 7;
    EXPECT_EQ(in_game(game), "game ann.s/1.1") << "where there are maps the seed decides nothing";
    game.by_seed = true;
    EXPECT_EQ(in_game(game), "game ann.s/1.1, seed 7");
    game.map = "vault";
    EXPECT_EQ(in_game(game), "game ann.s/1.1 on vault");
}

TEST(GradingWords, WhatAPlaceGivesIsSaid) {
    EXPECT_THAT(criterion_of(step_with(rubric::Place{{20, 10, 5}})),
                StartsWith("In the tournament place 1 gives 20 points, place 2 gives 10 and place "
                           "3 gives 5. Who is level "));
}

}  // namespace
}  // namespace referee::verdict
