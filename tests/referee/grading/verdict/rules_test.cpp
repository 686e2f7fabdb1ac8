#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "referee/game/play/play.h"
#include "referee/grading/verdict/advice.h"
#include "referee/grading/verdict/phrases.h"
#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using rubric::AverageScore;
using rubric::ScoreOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// What a step of 10 points gives: all is passed, some is partly and none is failed; nothing is
// trouble.
using Points = std::optional<double>;

struct RuleCase {
    Played played;
    Points points;
    std::string reason;
};

void expect_each(const rubric::Rule& rule, const std::vector<RuleCase>& cases) {
    for (const auto& [played, points, reason] : cases) {
        SCOPED_TRACE(reason);
        const auto grade = judge(rubric_with({step_with(rule)}), played);
        ASSERT_EQ(grade.steps.size(), 1U);
        const auto& step = grade.steps[0];
        const auto verdict = !points         ? StepVerdict::trouble
                             : *points == 10 ? StepVerdict::passed
                             : *points == 0  ? StepVerdict::failed
                                             : StepVerdict::partly;
        EXPECT_EQ(name_of(step.verdict), name_of(verdict));
        EXPECT_EQ(step.points, points.value_or(0));
        EXPECT_THAT(step.reason, StartsWith(reason));
        EXPECT_EQ(grade.points, points.value_or(0));
        EXPECT_EQ(grade.final(), points.has_value());
    }
}

Played one(double score, const std::string& detail) {
    return played_with({game_scored(score, 0, detail)});
}

TEST(GradingRules, Faultless) {
    const auto with = [](PlayedGame game, std::size_t faults) {
        return played_with({with_faults(std::move(game), faults)});
    };
    expect_each(rubric::Faultless{},
                {{played_with(games(1, 2)), 10, "no fault in 3 games"},
                 {played_with({game_won(), with_faults(game_lost(1), 1)}), 0,
                  "1 fault in 2 games, and none is allowed"},
                 {with(game_won(), 12), 0, "12 faults in 1 game"},
                 {with(game_won(), play::faults_kept_max), 0, "at least 200 faults in 1 game"},
                 {with(forfeited(game_lost()), 0), 0, "1 fault in 1 game, and none is allowed"}});
}

TEST(GradingRules, Wins) {
    auto shared = game_won();
    shared.placing = {1, 1};
    auto second_seat = game_lost();
    second_seat.seat = 1;
    expect_each(rubric::Wins{2},
                {{played_with(games(1, 2)), 0, "won 1 of 3 games, and 2 are needed"},
                 {played_with(games(2, 1)), 10, "won 2 of 3 games, and 2 are needed"},
                 {played_with(games(3, 0)), 10, "won 3 of 3 games, and 2 are needed"},
                 {played_with({game_won(), forfeited(game_won(1))}), 0, "won 1 of 2 games"}});
    expect_each(rubric::Wins{1}, {{played_with({shared}), 0, "won 0 of 1 game, and 1 is needed"},
                                  {played_with({second_seat}), 10, "won 1 of 1 game"},
                                  {one(5, R"({"win": true})"), 10, "won 1 of 1 game"},
                                  {one(5, R"({"finished": true})"), 10, "won 1 of 1 game"},
                                  {one(5, R"({"win": false})"), 0, "won 0 of 1 game"},
                                  {one(5, "no JSON"), 0, "won 0 of 1 game"}});
}

TEST(GradingRules, EachWin) {
    expect_each(rubric::EachWin{}, {{played_with(games(0, 3)), 0, "won 0 of 3 games"},
                                    {played_with(games(1, 2)), 3.33, "won 1 of 3 games"},
                                    {played_with(games(2, 1)), 6.67, "won 2 of 3 games"},
                                    {played_with(games(3, 0)), 10, "won 3 of 3 games"}});
}

Played scored(const std::vector<double>& scores) {
    std::vector<PlayedGame> games;
    for (const auto score : scores) games.push_back(game_scored(score, games.size()));
    return played_with(std::move(games));
}

TEST(GradingRules, AverageScore) {
    expect_each(AverageScore{100},
                {{scored({199.5, 0}), 0, "an average score of 99.75 in 2 games, and 100 is needed"},
                 {scored({200, 0}), 10, "an average score of 100 in"},
                 {scored({200.5, 0}), 10, "an average score of 100.25"}});
    expect_each(AverageScore{0.1},
                {{scored({0.5, 0, 0, 0, 0}), 10, "an average score of 0.1 in 5 games"}});
    expect_each(AverageScore{-1}, {{scored({-2, 0}), 10, "an average score of -1"},
                                   {scored({-2.5, 0}), 0, "an average score of -1.25"}});
}

TEST(GradingRules, AnAverageSaysByWhichGamesItWasMeasured) {
    const auto average_of_seeds = [](const std::vector<std::uint32_t>& seeds) {
        std::vector<PlayedGame> games;
        for (const auto seed : seeds) {
            games.push_back(game_scored(10, games.size()));
            games.back().seed = seed;
        }
        return judged(AverageScore{5}, played_with(games)).average.value_or(Average{});
    };
    const auto average = average_of_seeds({9, 1, 2, 3, 7});
    EXPECT_EQ(average.score, 10);
    EXPECT_EQ(average.games, 5U);
    EXPECT_EQ(average.seeds, "1-3, 7, 9");
    EXPECT_EQ(average_of_seeds({4, 4}).seeds, "4");
    EXPECT_EQ(average_of_seeds({4, 0}).seeds, "") << "not all are known";
    EXPECT_FALSE(judged(rubric::Wins{1}, one(1, "{}")).average) << "it was not asked for";
}

Played beside(const std::vector<double>& scores, const std::vector<double>& reference) {
    auto played = scored(scores);
    auto& series = played.series["s"];
    series.references["best"] = scored(reference).series["s"].games;
    return played;
}

TEST(GradingRules, ScoreOf) {
    expect_each(
        ScoreOf{"best", 0.9, false},
        {{beside({899.5, 900}, {1000, 1000}), 0,
          "in 1 of 2 games it scored at least 90% of what best scored, and must in all"},
         {beside({900, 900}, {1000, 1000}), 10,
          "in 2 of 2 games it scored at least 90% of what best scored"},
         {beside({900.5, 1100}, {1000, 1000}), 10, "in 2 of 2 games it scored at least 90%"},
         {beside({-1}, {0}), 0, "in 0 of 1 game"},
         {beside({0}, {0}), 10, "in 1 of 1 game"},
         {beside({-20}, {-20}), 10, "in 1 of 1 game"},
         {beside({-20.5}, {-20}), 0, "in 0 of 1 game"},
         {beside({1, 1}, {1}), {}, "best has not played all of the games"}});
    expect_each(ScoreOf{"best", 0.9, true},
                {{beside({799.5, 1000}, {1000, 1000}), 0,
                  "scored 1799.5 in 2 games, and 1800 is needed, 90% of the 2000 of best"},
                 {beside({800, 1000}, {1000, 1000}), 10, "scored 1800 in 2"}});
    expect_each(ScoreOf{"best", 1, false},
                {{beside({7}, {7}), 10, "in 1 of 1 game it scored at least as much as best"},
                 {beside({6.5}, {7}), 0,
                  "in 0 of 1 game it scored at least as much as best, and must in all"}});
    expect_each(ScoreOf{"other", 1, false}, {{beside({1}, {1}), {}, "other has not"}});
}

TEST(GradingRules, ShareOf) {
    const auto sharing = [](double score, const std::string& detail) {
        return played_with(
            {game_scored(score, 0, detail), game_scored(1, 1, R"({"attainable": 1})")});
    };
    const std::string seven = R"({"attainable": 7})";
    expect_each(rubric::ShareOf{"score", "attainable"},
                {{sharing(0, seven), 1.25, "reached 1 of 8 that could be had in 2 games"},
                 {sharing(7, seven), 10, "reached 8 of 8"},
                 {sharing(6.5, seven), 9.38, "reached 7.5 of 8"},
                 {sharing(8, seven), 10, "reached 9 of 8"},
                 {one(0, R"({"attainable": 0})"), 10, "nothing could be had in 1 game"},
                 {one(0, R"({"attainable": 3})"), 0, "reached 0 of 3"},
                 {sharing(1, "{}"), {}, "the outcome of game ann.s/1.1 has no"}});
    const std::string coins = R"({"coins": 3, "all": 4})";
    expect_each(rubric::ShareOf{"coins", "all"},
                {{played_with({forfeited(game_scored(0, 0, coins))}), 0, "reached 0 of 4"},
                 {one(0, coins), 7.5, "reached 3 of 4"}});
}

TEST(GradingRules, Always) {
    const auto yes = game_scored(1, 0, R"({"finished": true})");
    const auto no = game_scored(1, 1, R"({"finished": false})");
    expect_each(
        rubric::Always{"finished"},
        {{played_with({yes, yes}), 10, "the way out is found in 2 of 2"},
         {played_with({yes, no}), 0, "the way out is found in 1 of 2 games, and must be in all"},
         {played_with({forfeited(game_scored(0))}), 0, "the way out is found in 0 of 1 game"},
         {played_with({yes, game_scored(1)}), {}, "the outcome of game ann.s/1.1 doesn't say"}});
}

TEST(GradingRules, IsAsGood) {
    using Says = rating::SprtVerdict;
    const auto tested = [](std::optional<Says> test, double share) {
        auto played = played_with(games(1, 1));
        played.series["s"].test = test;
        played.series["s"].test_matches = 60;
        played.series["s"].test_share = share;
        return played;
    };
    const rubric::IsAsGood rule;
    expect_each(
        rule,
        {{tested(Says::stronger, 0.48), 10,
          "got 48% of the points of 60 matches: as good as its opponents (one as good gets "},
         {tested(Says::not_stronger, 0.2), 0, "got 20% of the points of 60"},
         {tested(Says::undecided, 0.4169), 0,
          "got 41.69% of the points of 60 matches, the most that are played, and 41.7% is needed "
          "(one as good gets 50% on average, one that is clearly worse 35%)"},
         {tested(Says::undecided, 0.4170), 10, "got 41.7"},
         {tested(Says::undecided, 0.4171), 10, "got 41.7"},
         {tested({}, 0.5), {}, "its sequential test was not run"}});
    const auto lost = judged(rule, tested(Says::not_stronger, 0.2));
    ASSERT_FALSE(lost.advice.empty()) << "how the games ended that were not won";
    EXPECT_THAT(lost.advice.front(), HasSubstr("game " + lost.games.front() + ": "));
}

std::string last_advice(const rubric::Rule& rule, Played played) {
    std::size_t setup = 0;
    for (auto& game : played.series["s"].games) game.map = "map" + std::to_string(++setup);
    return judged(rule, played).advice.back();
}

TEST(GradingRules, WhatCouldBeHadIsToldOnce) {
    EXPECT_THAT(verdict::criterion_of(step_with(rubric::ShareOf{"score", "attainable"})),
                testing::EndsWith(", of what could be had."));
    auto played =
        played_with({game_scored(8, 0, R"({"most": 9})"), game_scored(7, 1, R"({"most": 9.5})")});
    for (auto& game : played.series["s"].games)
        game.story = "picked up 1 scrap, worth 8 of 9 (reachable or not); caught";
    const rubric::ShareOf rule{"score", "most"};
    EXPECT_THAT(
        judged(rule, played).advice,
        ElementsAre(
            "game ann.s/1.2 and 1 more like it: 7 of the 9.5 that could be had: picked up 1 "
            "scrap; caught; likewise in 1.1: 8 of the 9 that could be had",
            HasSubstr("in all games")));
}

// Whoever adds them up comes to what the step says.
TEST(GradingRules, WhatIsAddedUpIsToldGameByGame) {
    EXPECT_EQ(last_advice(AverageScore{100}, scored({90, 7.5})),
              "the scores of all games: map1: 90, map2: 7.5");
    EXPECT_EQ(last_advice(ScoreOf{"best", 1, true}, beside({5, 10}, {10, 8})),
              "the scores of all games: map1: yours 5 and best's 10, map2: yours 10 and best's 8");
    EXPECT_EQ(last_advice(ScoreOf{"best"}, beside({5, 10}, {10, 8})),
              "the scores of all games: map1: yours 5 and best's 10, map2: yours 10 and best's 8");
    EXPECT_EQ(last_advice(rubric::ShareOf{"score", "most"},
                          played_with({game_scored(1, 0, R"({"most": 2})"),
                                       game_scored(3, 1, R"({"most": 3})")})),
              "what was reached in all games: map1: 1 of 2, map2: 3 of 3");
    EXPECT_EQ(last_advice(AverageScore{100}, scored({9, 9})), "the scores of all games: 9 in each");
    auto seeded = scored({9, 8});
    for (auto& game : seeded.series["s"].games) {
        game.seed = 40 + static_cast<std::uint32_t>(game.setup);
        game.by_seed = true;
    }
    EXPECT_EQ(judged(AverageScore{100}, seeded).advice.back(),
              "the scores of all games, by seed: 40: 9, 41: 8");
    const auto sum = judged(ScoreOf{"best", 1, true}, beside({5, 10, 1}, {10, 8, 9}));
    EXPECT_THAT(
        sum.advice,
        ElementsAre(HasSubstr("game ann.s/1.3 and 1 more like it: scored 1 (all squares have "
                              "bricks), and best 9"),
                    HasSubstr("the scores of all games")))
        << "those first in which the most is missing";
    EXPECT_EQ(sum.games.front(), "ann.s/1.3");
}

TEST(GradingRules, PlaceInATournament) {
    std::deque<TournamentPlaces> all;
    const auto among = [&all](std::vector<Placed> placed, bool open = false) {
        all.push_back({open, "points", std::move(placed)});
        Played played;
        played.places = &all.back();
        played.name = "own";
        return played;
    };
    expect_each(
        rubric::Place{{10, 5, 2.5}},
        {{among({{1, "own"}}), 10, "place 1 of the tournament"},
         {among({{2, "own"}}), 5, "place 2 of the tournament"},
         {among({{3, "own"}}), 2.5, "place 3 of the tournament; it gives 2.5 points"},
         {among({{2, "ann"}, {2, "own"}}), 5,
          "place 2 of the tournament, which 2 share: each has all that it gives"},
         {among({{4, "own"}}), 0, "place 4 of the tournament; the first 3 give"},
         {among({{4, "own"}, {5, "ann"}, {6, "bob"}, {7, "cay"}}), 0,
          "place 4 of the tournament, in which 4 took part; the first 3 give"},
         {among({{1, "ann", "12"},
                 {2, "bob", "9"},
                 {3, "cay", "8"},
                 {4, "dan", "7.5"},
                 {5, "own", "7"},
                 {6, "eve", "1"}}),
          0,
          "place 5 of the tournament, in which 6 took part; the first 3 give points; by the "
          "tournament's standings (which go by points first, and it has 7) ann (12), bob (9), cay "
          "(8) and 1 more stand above it"},
         {among({{1, "ann"}, {2, "own"}}), 5,
          "place 2 of the tournament; it gives 5 points; by the tournament's standings (which tell "
          "no more than places) ann stands above it"},
         {among({{1, "ann"}}), 0, "it took no part"},
         {among({{1, "own"}}, true), {}, "the tournament that gives these points is not over"},
         {{}, {}, "the tournament that gives these points is not played"}});
}

TEST(GradingRules, WithoutGamesNobodyIsJudged) {
    for (const rubric::Rule& rule :
         std::vector<rubric::Rule>{rubric::Faultless{}, rubric::Wins{1}, rubric::EachWin{},
                                   AverageScore{1}, ScoreOf{"best"}, rubric::ShareOf{"score", "a"},
                                   rubric::Always{"b"}, rubric::IsAsGood{}})
        expect_each(rule, {{{}, {}, "the series s was not played"},
                           {played_with({}), {}, "no game of the series s"}});
}

TEST(GradingRules, AdviceTellsTheFirstFaultsAndWhereToLook) {
    const auto played = played_with({game_won(), with_faults(game_lost(1), 9)});
    const auto step = judged(rubric::Faultless{}, played);
    EXPECT_THAT(step.advice, ElementsAre(HasSubstr("game ann.s/1.2, turn ")));
    EXPECT_THAT(step.advice[0],
                HasSubstr(", and 8 more times: expected a move such as \"F\", found 5"));
    EXPECT_THAT(step.games, ElementsAre("ann.s/1.2", "ann.s/1.1")) << "those that decided first";
    ASSERT_EQ(step.told.size(), 1U);
    EXPECT_EQ(step.told[0].id, "ann.s/1.2");
    EXPECT_EQ(step.told[0].turn, played.series.at("s").games[1].faults.front().turn);
}

TEST(GradingRules, AdviceIsNotEndless) {
    for (const std::size_t more : {1U, 4U}) {
        std::vector<PlayedGame> lost;
        for (std::size_t i = 0; i < advice_max + more; ++i) {
            lost.push_back(game_lost(i));
            lost.back().reason = "reason " + std::string(i + 1, 'x');
        }
        const auto step = judged(rubric::Wins{1}, played_with(lost));
        ASSERT_EQ(step.advice.size(), advice_max + 1);
        EXPECT_THAT(step.advice.front(), testing::EndsWith(": reason x"));
        EXPECT_THAT(step.advice.back(),
                    testing::EndsWith(more == 1 ? "xxx" : "and 4 more: ann.s/1.6 to 1.9"))
            << "a single one has room";
    }
}

// What rounding does to it is within half a hundredth, and whole thirds of points sum up exactly.
TEST(GradingRules, PartsAreRoundedOnceHalfUp) {
    for (int of = 1; of <= 48; ++of) {
        for (int got = 0; got <= of; ++got) {
            const auto played = played_with(
                games(static_cast<std::size_t>(got), static_cast<std::size_t>(of - got)));
            const auto points =
                judge(rubric_with({step_with(rubric::EachWin{}, 0.29)}), played).steps[0].points;
            // In whole numbers: 29 hundredths, a half up.
            const int hundredths = (2 * 29 * got + of) / (2 * of);
            ASSERT_EQ(std::lround(points * 100), hundredths) << got << " of " << of;
            ASSERT_EQ(points, hundredths / 100.0) << got << " of " << of;
        }
    }
}

}  // namespace
}  // namespace referee::verdict
