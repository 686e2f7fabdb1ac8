// What a student is told of hidden steps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using testing::HasSubstr;

// What is told of a hidden step with that rule.
std::string told_of(rubric::Rule rule, const Played& played) {
    auto step = step_with(std::move(rule));
    step.hidden = true;
    return judge(rubric_with({step}), played).steps[0].in_kind;
}

std::string told_of(const std::vector<PlayedGame>& played) {
    return told_of(rubric::Wins{1}, played_with(played));
}

// Of the game of a hidden series: it began from `params`, and its first fault was `message`.
PlayedGame without_a_move(const std::string& params, const std::string& message) {
    auto game = with_faults(game_lost(), 1);
    game.moved = false;
    game.params = params;
    game.faults.front().message = message;
    game.faults.front().code = FaultCode::malformed;
    return game;
}

// What is told of a step that is hidden with its series, beside an open series.
std::string told_beside(const std::vector<PlayedGame>& open, const std::vector<PlayedGame>& hidden,
                        const std::string& game = {}, rubric::Rule rule = rubric::Wins{1}) {
    auto rubric = rubric_with({step_with(std::move(rule))});
    rubric.game = game;
    rubric.series.push_back(rubric.series.front());
    rubric.series.back().id = "open";
    rubric.steps.front().hidden = rubric.series.front().hidden = true;
    auto played = played_with(hidden);
    played.series["open"].games = open;
    return judge(rubric, played).steps[0].in_kind;
}

// What is said of a hidden game may hold its map, so it is told only where the map can't matter.
TEST(HiddenSteps, WhyNoMoveWasValidIsToldWhereItTellsNothingThatIsHidden) {
    const std::string header = "the header is not the handout's";
    const auto one = without_a_move("one", header);
    const auto other = without_a_move("other", header);
    const auto in_words =
        "the program gave no valid move in any of the 2 games of this grade: " + header;
    const auto by_kind = HasSubstr("its move had another form than the game's page gives");
    EXPECT_EQ(told_beside({}, {one, other}), in_words);
    EXPECT_EQ(told_beside({other}, {one}), in_words) << "so it was in an open game";
    EXPECT_THAT(told_beside({}, {one}), by_kind) << "it may be a map in other words";
    EXPECT_THAT(told_beside({}, {one, one}), by_kind) << "it is one map";
    EXPECT_THAT(told_beside({}, {one, without_a_move("other", "#.#")}), by_kind);
    auto silent = one;
    silent.faults.front().rule = "snake_labyrinth.no_move";
    EXPECT_THAT(told_beside({}, {silent}), testing::EndsWith(": no move came"));
    auto moved = one;
    moved.moved = true;
    EXPECT_THAT(told_beside({}, {one, moved}), testing::StartsWith("in 2 games: "));
    EXPECT_EQ(told_beside({}, {}), "");
}

// The kinds of its faults tell nothing of a hidden game.
TEST(HiddenSteps, OfAHiddenStepTheKindsOfFaultsAreTold) {
    auto late = with_faults(game_lost(), 1);
    late.faults.front().message = "#.#";
    EXPECT_EQ(told_of({game_lost(1), late, game_won(2)}),
              "in 1 of 3 games: it took too long; how the games ended: in 2 of 3 games it was not "
              "won; in "
              "1 nothing is missing");
    EXPECT_EQ(told_of({game_lost()}), "no move was invalid; in its game it was not won");
    EXPECT_EQ(told_of({game_scored(5)}), "no move was invalid; in its game it came to its end")
        << "such a game knows no win";
    EXPECT_THAT(told_of(rubric::ShareOf{"score", "most"},
                        played_with({forfeited(game_scored(3, 0, R"({"most": 3})"))})),
                testing::EndsWith("in its game what went wrong ended it"));
    auto stayed = game_lost();
    stayed.play_in_kind = {"it only ever answered D"};
    stayed.end_in_kind = "a ghost caught the ship in turn 9";
    const std::string caught = " a ghost caught the ship in turn 9, and it only ever answered D";
    EXPECT_EQ(told_of({stayed, stayed}), "no move was invalid; in both games" + caught);
    EXPECT_EQ(told_of({game_lost(), stayed, stayed}),
              "no move was invalid; in 2 of 3 games" + caught + "; in 1 it was not won");
    EXPECT_EQ(
        told_of({forfeited(late), stayed}),
        "in 1 of 2 games: it took too long; how the games ended: in 1 of 2 games what went wrong "
        "ended it; in 1" +
            caught);
}

// Else each of ten games would be told by itself, and nobody sees what happened most.
TEST(HiddenSteps, GamesThatEndedAlikeAreToldTogetherWithWhatHappenedInHowMany) {
    const std::string held = "it was caught as a nebula held it";
    const std::string onto = "it was caught as it moved onto a ghost";
    const std::string none = "no scrap was picked up";
    const auto caught_in = [](int turn, std::vector<std::string> play) {
        auto game = game_lost();
        game.end_in_kind = "a ghost caught the ship in turn " + std::to_string(turn);
        game.play_in_kind = std::move(play);
        return game;
    };
    const std::string down = "it only ever answered D";
    EXPECT_EQ(told_of({caught_in(12, {held, none}), caught_in(9, {onto, down, none}), game_lost(),
                       caught_in(9, {held, down, none}), caught_in(9, {onto, none}),
                       caught_in(9, {held, none})}),
              "no move was invalid; in 5 of 6 games a ghost caught the ship in turn 9 (4 games) "
              "and 12, and " +
                  none + ", and " + held + " (in 3 of these), " + onto + " (in 2), " + down +
                  " (in 2); in 1 it was not won");
    std::vector<PlayedGame> many;
    for (int turn = 31; turn > 20; --turn) many.push_back(caught_in(turn, {}));
    EXPECT_EQ(told_of(many),
              "no move was invalid; in all 11 games a ghost caught the ship in turn 21 to 31");
}

// What is its own may be told, and what is needed may not.
TEST(HiddenSteps, OfAHiddenStepItsOwnFiguresAreTold) {
    auto played = played_with({game_scored(3), game_scored(4, 1)});
    played.series["s"].references["best"] = {game_scored(5), game_scored(6, 1)};
    const auto starts = [](const char* text) { return testing::StartsWith(text); };
    EXPECT_THAT(told_of(rubric::AverageScore{9}, played),
                starts("its average score of 3.5 is less than is needed; no move"));
    EXPECT_THAT(told_of(rubric::ScoreOf{"best", 1, true}, played),
                starts("all its scores together, 7, are less than is needed; no move"));
    played.series["s"].test = rating::SprtVerdict::not_stronger;
    played.series["s"].test_matches = 21;
    played.series["s"].test_share = 0.125;
    EXPECT_THAT(told_of(rubric::IsAsGood{}, played),
                starts("got 12.5% of the points of 21 matches: less than is needed; no move"));
    const TournamentPlaces without_it;
    played.places = &without_it;
    EXPECT_EQ(told_of(rubric::Place{{5}}, played), "it took no part in the tournament");
}

// Titles and what a step needs stand in the rubric's page, whatever is hidden.
TEST(HiddenSteps, OfAHiddenStepWhatItNeedsAndLacksIsTold) {
    auto step = step_with(rubric::ScoreOf{"best"}, 10, "a");
    step.needs = {"b"};
    step.hidden = true;
    auto played = played_with(games(2, 0));
    played.series["s"].references["best"] = {game_scored(0), game_scored(1, 1)};
    EXPECT_EQ(
        judge(rubric_with({step, step_with(rubric::Wins{2}, 5, "b")}), played).steps[0].in_kind,
        "in 1 of 2 games it scored less than is needed; no move was invalid; in both games it "
        "was won");
    step.rule = rubric::Faultless{};
    EXPECT_THAT(
        judge(rubric_with({step, step_with(rubric::Wins{3}, 5, "b")}), played).steps[0].in_kind,
        testing::StartsWith("counts only with \"the step b\", which is not passed; no"));
}

// A program that failed in its first turns alone has its own words, where they tell nothing.
TEST(HiddenSteps, WordsThatTellNothingOfAHiddenGameStandWithItsStep) {
    const std::string error = "error: 'x' undefined; so: no move came; the ship stays";
    const std::string planets = "e7_planets";
    const auto failed_first = [&](const std::string& params, const std::string& message) {
        auto game = without_a_move(params, message);
        game.moved = true;
        game.faults.front().turn = 1;
        game.faults.front().rule = "e7_planets.missing_move";
        game.asked = 40;
        game.wrong = 1;
        return game;
    };
    auto one = failed_first("one", error);
    const auto other = failed_first("other", error);
    const std::string rest = "; how the games ended: in both games it was not won";
    const std::string rest_of_one = "; how the games ended: in its game it was not won";
    EXPECT_EQ(told_beside({}, {one, other}, planets),
              "wrong in 2 of 80 turns of 2 games: " + error + rest);
    EXPECT_EQ(told_beside({other}, {one}, planets),
              "wrong in 1 of 40 turns of 1 game: " + error + rest_of_one);
    one.costs_turns = true;
    one.turns = one.asked;
    EXPECT_EQ(told_beside({other}, {one}, planets),
              "wrong in 1 of 40 turns of 1 game: " + error +
                  "; mending it brings at most 1 turn a game" + rest_of_one);
    auto later = failed_first("other", "#.#; so: no move came");
    later.wrong = later.asked;
    later.faults.push_back(later.faults.front());
    EXPECT_EQ(told_beside({other}, {one, later}, planets),
              "wrong in 41 of 80 turns of 2 games: " + error +
                  "; or: no move came, because of an error, or because what it gave is no move: "
                  "expected one such as \"U\" (U, D, L, R or .)" +
                  rest)
        << "that may be a map";
    later.faults.front().message = "no move came";
    EXPECT_EQ(told_beside({}, {later}, planets), "in 1 game: no move came" + rest_of_one);
    later.faults.front().rule = "e7_planets.malformed_move";
    EXPECT_THAT(told_beside({}, {later}, planets), HasSubstr("such as \"U\" (U, D, L, R or .)"));
    one.detail = R"({"most": 98})";
    EXPECT_THAT(told_beside({other}, {one}, planets, rubric::ShareOf{"score", "most"}),
                testing::StartsWith("the points are given in proportion: reached 0 of 98 that "
                                    "could be had in 1 game; wrong in 1 of"));
}

}  // namespace
}  // namespace referee::verdict
