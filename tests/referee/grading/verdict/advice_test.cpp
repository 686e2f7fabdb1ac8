// What is told of many games at once: each is named, once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// Each lost by one fault, which says that.
std::vector<PlayedGame> lost_by(const std::vector<std::string>& messages) {
    std::vector<PlayedGame> lost;
    for (const auto& message : messages) {
        lost.push_back(with_faults(game_lost(lost.size()), 1));
        lost.back().faults.front().message = message;
    }
    return lost;
}

// Of three steps, "a" and "c" judge the series "s", and "b" judges another one, "t".
rubric::Rubric rubric_of_two_series(const rubric::Rule& rule) {
    auto rubric =
        rubric_with({step_with(rule, 10, "a"), step_with(rule, 10, "b"), step_with(rule, 10, "c")});
    rubric.series.push_back(rubric.series.front());
    rubric.series.back().id = "t";
    rubric.steps[1].series = {"t"};
    return rubric;
}

TEST(Advice, OneFaultStandsOnceWithItsCount) {
    auto played = played_with({});
    auto& games = played.series["s"].games;
    const std::pair<std::string, std::string> ends[] = {
        {"5", "5"}, {"100.299", "17"}, {"17", "17"}};
    for (const auto& [number, end] : ends) {
        auto game = with_faults(game_lost(games.size()), 2);
        for (auto& fault : game.faults) fault.message = "letter " + number + ": a wall is there";
        game.story = "stood at " + end;
        games.push_back(game);
    }
    const auto grade = judge(rubric_with({step_with(rubric::Faultless{}, 10, "a"),
                                          step_with(rubric::Faultless{}, 10, "b"),
                                          step_with(rubric::AverageScore{5}, 10, "c")}),
                             played);
    EXPECT_THAT(
        grade.steps[0].advice,
        ElementsAre("game ann.s/1.1, turn 3, and 5 more times like it in 3 games (1.2 to 1.3): "
                    "letter "
                    "5: a wall is there; likewise in 1.2, turn 3: letter 100.299; likewise in "
                    "1.3, turn 3: letter 17"));
    const std::string again = "in 3 games the same happened as in \"the step a\": ann.s/1.1 to 1.3";
    EXPECT_THAT(grade.steps[1].advice, ElementsAre(again));
    EXPECT_THAT(grade.steps[2].advice,
                ElementsAre(again,
                            "game ann.s/1.1 and 2 more like it (1.2 to 1.3): scored 0: stood at 5; "
                            "likewise in 1.2: stood at 17",
                            "the scores of all games: 0 in each"));
}

TEST(Advice, LinesThatTellTheSameAreOneWithWhatIsNew) {
    struct Case {
        std::string why;
        std::vector<std::string> faults;  // of a game each
        std::vector<std::string> told;
    };
    const std::string one_more = "game ann.s/1.1, turn 3, and 1 more time like it";
    const std::string two_more = "game ann.s/1.1, turn 3, and 2 more times like it (1.2 to 1.3): ";
    for (const auto& [why, faults, told] : std::vector<Case>{
             {"times are nothing new",
              {"It used 89.3 ms in turn 1", "It used 1.2 s in turn 1", "It used 90 ms in turn 1"},
              {two_more + "It used 89.3 ms in turn 1"}},
             {"other figures are",
              {"It used 89.3 ms in turn 1", "It used 1.2 s in turn 2", "It used 3 seats in turn 1"},
              {one_more + ": It used 89.3 ms in turn 1; likewise in 1.2, turn 3: It used 1.2 s in "
                          "turn 2",
               "game ann.s/1.3, turn 3: It used 3 seats in turn 1"}},
             {"what was expected is not told without its cause",
              {"no list; expected a cell beside 1", "no list; expected a cell beside 2"},
              {one_more + " (1.2): no list; expected a cell beside 1"}},
             {"else what isn't told would be taken for the same",
              {"a 1; b 1; c 1; d 1; e 1.", "a 2; b 2; c 2; d 2; e 2."},
              {one_more + ": a 1; b 1; c 1; d 1; e 1; likewise in 1.2, turn 3: a 2; b 2; c 2; and "
                          "more that differs"}},
             {"data that a program printed is nothing new",
              {"index: 12, vector: '#(#(150 45) #(1...; where: in line 5",
               "index: 12, vector: '#(#(9 4) (0 7...; where: in line 5",
               "index: 12, vector: (); where: in line 5"},
              {two_more + "index: 12, vector: '#(#(150 45) #(1...; where: in line 5"}}})
        EXPECT_EQ(judged(rubric::Faultless{}, played_with(lost_by(faults))).advice, told) << why;
}

TEST(Advice, WhatEachOfThreeDidIsOneThing) {
    auto lost = with_faults(game_lost(), 3);
    for (std::size_t i = 0; i < 3; ++i) {
        lost.faults[i].turn = 3;
        lost.faults[i].message = std::string("Its ") + std::array{"first", "second", "third"}[i] +
                                 " cycle is terminated.";
    }
    EXPECT_THAT(judged(rubric::Faultless{}, played_with({lost})).advice,
                ElementsAre("game ann.s/1.1, turn 3, and 2 more times like it: "
                            "Its first cycle is terminated; likewise in 1.1, turn "
                            "3: Its second cycle is terminated; likewise in 1.1, turn 3: Its third "
                            "cycle is terminated"));
}

// "The same as there" is a riddle where several things are told there.
TEST(Advice, OfAStepThatTellsTwoThingsItIsSaidWhichHappened) {
    auto lost = lost_by({"found 5", "it crashed"});
    auto played = played_with(lost);
    lost[1].id = "ann.t/1.1";
    played.series["t"].games = {lost[1]};
    const auto steps = judge(rubric_of_two_series(rubric::Faultless{}), played).steps;
    EXPECT_EQ(steps[0].advice.size(), 2U);
    const std::string again = "in 1 game the same happened as in \"the step a\" (";
    EXPECT_THAT(steps[1].advice, ElementsAre(again + "it crashed): ann.t/1.1"));
    EXPECT_THAT(steps[2].advice,
                ElementsAre(again + "found 5): ann.s/1.1", again + "it crashed): ann.s/1.2"));
}

TEST(Advice, MapsAreNamedInTheOrderOfTheirGames) {
    std::vector<PlayedGame> scored;
    for (const double score : {5, 1, 3}) {
        scored.push_back(game_scored(0, scored.size(), R"({"most": 5})"));
        scored.back().map = "map" + std::to_string(scored.size());
        scored.back().detail = "{\"most\": " + std::to_string(score) + '}';
        scored.back().story = "caught";
    }
    const auto advice = judged(rubric::ShareOf{"score", "most"}, played_with(scored)).advice;
    EXPECT_EQ(advice.front(),
              "game ann.s/1.1 on map1 and 2 more like it: 0 of the 5 that could be had: caught; "
              "likewise in 1.3 on map3: 0 of the 3 that could be had; likewise in 1.2 on map2: 0 "
              "of the 1 that could be had");
    auto compared = played_with({game_scored(1, 0), game_scored(2, 1)});
    auto& beside = compared.series["s"].references["best"];
    beside = {game_scored(8, 0), game_scored(9, 1)};
    for (auto* both : {&compared.series["s"].games, &beside}) {
        for (auto& game : *both) game.story = "moved; the board was full";
    }
    EXPECT_EQ(judged(rubric::ScoreOf{"best", 1, true}, compared).advice.front(),
              "game ann.s/1.1 and 1 more like it: scored 1 (moved; the board was full), and best 8 "
              "(moved; the board was full); likewise in 1.2: scored 2 (moved; the board was full), "
              "and best 9 (moved; the board was full)")
        << "a sentence isn't cut in its brackets";
    for (auto& game : scored) game.detail = R"({"most": 5})";
    std::swap(scored[0], scored[2]);
    EXPECT_EQ(
        judged(rubric::ShareOf{"score", "most"}, played_with(scored)).advice.front(),
        "game ann.s/1.3 on map3 and 2 more (map1, map2): 0 of the 5 that could be had: caught");
}

TEST(Advice, GamesHaveTheirMapsNamesOrTheirRunsOnce) {
    const auto told = [](std::size_t many, bool on_maps, std::vector<std::string> ids) {
        std::vector<PlayedGame> lost;
        for (std::size_t i = 0; i < many; ++i) {
            lost.push_back(game_lost(i));
            if (on_maps) lost.back().map = "map" + std::to_string(i);
            if (i < ids.size()) lost.back().id = ids[i];
        }
        return judged(rubric::Wins{1}, played_with(lost)).advice.front();
    };
    const std::string end = ": all squares have bricks";
    EXPECT_EQ(told(3, true, {}), "game ann.s/1.1 on map0 and 2 more (map1, map2)" + end);
    EXPECT_EQ(told(11, true, {}),
              "game ann.s/1.1 on map0 and 10 more (map1, map2, map3, map4, map5, map6, map7, map8 "
              "and 2 more)" +
                  end);
    EXPECT_EQ(told(6, false, {"a/1.1", "a/1.2", "a/2.1", "a/2.2", "b/1.1", "b/1.2"}),
              "game a/1.1 and 5 more (1.2, 2.1 to 2.2, b/1.1 to 1.2)" + end);
    std::vector<std::string> pairs;  // of games that follow one another
    for (const auto* match : {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}) {
        for (const auto* number : {".1", ".2"}) pairs.push_back(std::string("a/") + match + number);
    }
    EXPECT_EQ(told(22, false, pairs),
              "game a/1.1 and 21 more (1.2, 2.1 to 2.2, 3.1 to 3.2, 4.1 to 4.2, 5.1 to 5.2, 6.1 to "
              "6.2, 7.1 to 7.2, 8.1 to 8.2 and 6 more)" +
                  end);
}

// What one game's own line says isn't said of another.
TEST(Advice, WhichThingHappenedIsSaidInItsOwnFigures) {
    const auto games =
        lost_by({"letter 14: a wall is there", "it crashed", "letter 1: a wall is there"});
    const auto steps = judge(rubric_with({step_with(rubric::Faultless{}, 10, "a"),
                                          step_with(rubric::Faultless{}, 10, "b")}),
                             played_with(games))
                           .steps;
    const std::string again = "in 1 game the same happened as in \"the step a\"";
    EXPECT_THAT(steps[1].advice,
                UnorderedElementsAre(again + " (letter 14: a wall is there): ann.s/1.1",
                                     again + " (it crashed): ann.s/1.2", again + ": ann.s/1.3"));
}

// A cause is told where it cost points, and once.
TEST(Advice, AnEndIsToldInEachStepThatHasOtherGames) {
    auto played = played_with(lost_by({"a wall is there."}));
    played.series["s"].games.front().story = "lost; turn 3: a wall is there";
    played.series["t"] = played.series["s"];
    played.series["t"].games.front().id = "ann.t/1.1";
    const auto steps = judge(rubric_of_two_series(rubric::Wins{1}), played).steps;
    EXPECT_THAT(steps[0].advice, ElementsAre("game ann.s/1.1: lost; turn 3: a wall is there"));
    EXPECT_THAT(steps[1].advice, ElementsAre("game ann.t/1.1: lost; turn 3: a wall is there"));
    EXPECT_THAT(steps[2].advice,
                ElementsAre("in 1 game the same happened as in \"the step a\": ann.s/1.1"));
}

TEST(Advice, AProgramThatNeverCameIsBlamedForNoFault) {
    auto absent = forfeited(with_faults(game_lost(), 1));
    absent.faults.front().rule = "match.no_show";
    EXPECT_EQ(judged(rubric::Faultless{}, played_with({absent, game_won(1)})).reason,
              "took part in 1 of 2 games, and must in all");
}

}  // namespace
}  // namespace referee::verdict
