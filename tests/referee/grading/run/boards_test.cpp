#include "referee/grading/run/boards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

using testing::ElementsAre;
using testing::Pair;

class Boards : public testing::Test {
 protected:
    Boards() { std::filesystem::remove_all(path_); }
    ~Boards() override { std::filesystem::remove_all(path_); }

    // A grade of one failed step whose one game has the replay, and a fault in the turn; 0: none.
    verdict::Grade grade(const std::string& replay, std::int64_t fault_turn) {
        const auto file = report::OutputFolder(path_, false).replay_file({"t", 1, 1, 1});
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        EXPECT_TRUE(report::write_file(file, replay));
        verdict::PlayedGame game;
        game.id = "t/1.1";
        game.params = R"({"rows":1,"cols":5,"min_score_size":2,"colors":"pb"})";
        if (fault_turn > 0) game.faults.emplace_back().turn = fault_turn;
        verdict::Played played;
        played.series["s"].games = {game};
        verdict::Grade grade;
        grade.steps.resize(1);
        grade.steps[0].games = {"t/1.1"};
        grade.steps[0].hidden = hidden_;
        add_boards(played, bot_, path_, grade);
        return grade;
    }
    void is_of_kind(const std::string& kind) {
        bot_.program = kinds::program_of_file(*kinds::find_kind(kind), "./iap");
    }

    std::string path_ = testing::TempDir() + "boards";
    config::BotConfig bot_;
    bool hidden_ = false;
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

TEST_F(Boards, OfSnakeTheInputItsCommandAndWhereItStoodAreShown) {
    is_of_kind("snake-challenge");
    const auto told = grade(snakes, 0);
    EXPECT_THAT(told.inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 1", "5\n3\n#####\no   _\n#####")));
    EXPECT_THAT(told.to_see,
                ElementsAre("In game t/1.1 the head stood at [1, 2] when it ended",
                            "./iap --challenge < board.txt: how game t/1.1 asked it; what is to be "
                            "in that file stands on this page"));
    hidden_ = true;
    EXPECT_THAT(grade(snakes, 0).inputs, testing::IsEmpty());
}

TEST_F(Boards, ABotSeesTheBoardOfItsFirstFault) {
    EXPECT_THAT(grade(snakes, 2).inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 2", "#####\n  o _\n#####")));
    EXPECT_THAT(grade(snakes, 0).inputs, testing::IsEmpty()) << "nothing went wrong in a turn";
    EXPECT_THAT(grade("no replay", 2).inputs, testing::IsEmpty());
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
                ElementsAre(testing::StartsWith(
                    "./iap 1 5 2 pb < board.txt: how game t/1.1 asked it in turn 1; ")));
}

}  // namespace
}  // namespace referee::grading
