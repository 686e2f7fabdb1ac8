#include "referee/grading/games/played_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/report/output_folder.h"
#include "tests/folder_of_test.h"

namespace referee::grading {
namespace {

using testing::ElementsAre;
using testing::Pair;

class Boards : public testing::Test {
 protected:
    // A grade of one failed step whose one game has the replay, and a fault in the turn; 0: none.
    verdict::Grade grade(const std::string& replay, std::int64_t fault_turn) {
        const auto file = report::OutputFolder(path_, false).replay_file({"t", 1, 1, 1});
        folder_.write(file.substr(path_.size() + 1), replay);
        verdict::PlayedGame game;
        game.id = "t/1.1";
        game.params = R"({"rows":1,"cols":5,"min_score_size":2,"colors":"pb"})";
        if (fault_turn > 0) game.faults.emplace_back().turn = fault_turn;
        verdict::Played played;
        played.series["s"].games = {game};
        verdict::Grade grade;
        grade.steps.resize(1);
        grade.steps[0].games = {advice_.empty() ? "t/1.1" : "t/9.9"};
        grade.steps[0].advice = {advice_};
        grade.steps[0].hidden = hidden_;
        add_boards(played, bot_, path_, grade);
        return grade;
    }
    void is_of_kind(const std::string& kind) {
        bot_.program = kinds::program_of_file(*kinds::find_kind(kind), "./iap");
    }

    const tests::FolderOfTest folder_;
    const std::string& path_ = folder_.path;
    config::BotConfig bot_;
    bool hidden_ = false;
    std::string advice_;
};

const std::string snakes =
    R"({"replay":1,"game":"snake_labyrinth","seed":1,"params":{"board":["#####","o   _","#####"],"on_illegal":"void"},"bots":["ann"]})"
    "\n"
    R"({"moves":["EE"],"used_us":[1]})"
    "\n"
    R"({"moves":[null],"used_us":[1]})"
    "\n"
    R"({"result":{}})"
    "\n";

TEST_F(Boards, OfSnakeTheInputItsCommandAndItsAnswerAreShown) {
    is_of_kind("snake-challenge");
    const auto told = grade(snakes, 0);
    EXPECT_THAT(told.inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 1", "5\n3\n#####\no   _\n#####")));
    EXPECT_THAT(told.to_see,
                ElementsAre("./iap --challenge < board.txt: how it was asked; put a board of this "
                            "page into board.txt",
                            "In game t/1.1 the answer was EE"));
    hidden_ = true;
    EXPECT_THAT(grade(snakes, 0).inputs, testing::IsEmpty());
}

TEST_F(Boards, AreThoseOfTheGamesThatTheReasonsName) {
    advice_ = "game t/1.1 on tiny and 2 more: a wall is there";
    EXPECT_EQ(grade(snakes, 1).inputs.size(), 1U);
    advice_ = "game t/1.10: a wall is there";
    EXPECT_THAT(grade(snakes, 1).inputs, testing::IsEmpty());
}

TEST_F(Boards, ABotSeesTheBoardOfItsFirstFault) {
    EXPECT_THAT(grade(snakes, 2).inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 2", "#####\n  o _\n#####")));
    EXPECT_THAT(grade(snakes, 0).inputs, testing::IsEmpty()) << "nothing went wrong in a turn";
    EXPECT_THAT(grade("no replay", 2).inputs, testing::IsEmpty());
}

TEST_F(Boards, TheTurnIsThatWhichTheReasonNames) {
    for (const auto* where :
         {" on tiny, turn 2", " (wrong in 2 of its 2 turns, first in turn 2)"}) {
        advice_ = std::string("game t/1.1") + where + ": a wall is there, turn 9: so";
        EXPECT_THAT(grade(snakes, 1).inputs,
                    ElementsAre(Pair("The board of game t/1.1, turn 2", testing::_)));
    }
}

TEST_F(Boards, OfSuperballTheCommandHasTheGamesParams) {
    is_of_kind("superball-moves");
    const auto told = grade(R"({"replay":1,"game":"superball","seed":1,"params":{},"bots":["ann"]})"
                            "\n"
                            R"({"moves":[null],"used_us":[1]})"
                            "\n"
                            R"({"result":{}})"
                            "\n",
                            1);
    ASSERT_EQ(told.inputs.size(), 1U);
    EXPECT_EQ(told.inputs.begin()->second.size(), 87U) << "eight rows of ten";
    EXPECT_THAT(told.to_see,
                ElementsAre(testing::StartsWith("./iap 1 5 2 pb < board.txt: how it was asked")));
}

TEST_F(Boards, WhatAShipDidIsToldByItsEngine) {
    GameResult result;
    result.key = {"t", 1, 1, 1};
    result.params =
        R"({"map": {"grid": [[0, 0, -1, 0]], "scraps": [{"location": [1, 4], "value": 5}], "ghosts": [],
                    "player": {"location": [[null, null], [1, 1]], "score": 0}, "remaining_turns": 4}})";
    std::string replay =
        R"({"replay":1,"game":"e7_planets","seed":1,"bots":["ann"],"params":)" + result.params;
    std::erase(replay, '\n');
    replay += "}\n";
    const auto begin = replay;
    const std::string down = R"({"moves":["D"],"used_us":[1]})"
                             "\n";
    for (const auto* move : {"\"R\"", "\"R\"", "\".\"", "5"})
        replay += std::string(R"({"moves":[)") + move + "],\"used_us\":[1]}\n";
    grade(replay + R"({"result":{}})" + "\n", 0);
    const engines::Registry registry;
    const auto told = told_play(*registry.find("e7_planets"), result, 0, path_);
    EXPECT_EQ(told.all,
              "; the ship moved in 1 of 4 turns, and was on 2 cells; its moves: R 2; in 1 turn an "
              "asteroid field blocked it (first in turn 2); in 1 turn its move was to stay (first "
              "in turn 3)");
    const std::string free = "in three of four turns, or more, nothing was in the ship's way";
    const std::string none = "no scrap was picked up";
    EXPECT_THAT(told.in_kind, ElementsAre(free, none)) << "it gave several answers";
    const auto in_kind = [&](const std::string& turns) {
        grade(begin + turns + R"({"result":{}})" + "\n", 0);
        return told_play(*registry.find("e7_planets"), result, 0, path_).in_kind;
    };
    EXPECT_THAT(in_kind(down + down),
                ElementsAre(R"(it only ever answered "D" (down))", free, none));
    EXPECT_THAT(in_kind(down), ElementsAre(free, none));
    const std::string right = R"({"moves":["R"],"used_us":[1]})"
                              "\n";
    EXPECT_THAT(
        in_kind(right + right + right),
        ElementsAre(R"(it only ever answered "R" (right))",
                    "in over half of the turns an asteroid field was in the ship's way", none));
    EXPECT_THAT(in_kind(right + down + right + down),
                testing::Contains(R"(it only ever answered "D" (down) and "R" (right))"));
    result.key.number = 2;
    EXPECT_EQ(told_play(*registry.find("e7_planets"), result, 0, path_).all, "")
        << "it has no replay";
    result.params = "{}";
    EXPECT_EQ(told_play(*registry.find("walls"), result, 0, path_).all, "");
}

}  // namespace
}  // namespace referee::grading
