#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/grading/games/played_records.h"
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
        grade.steps[0].games = {told_.empty() ? "t/1.1" : "t/9.9"};
        grade.steps[0].told = told_;
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
    std::vector<verdict::AdvicePlace> told_;
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
    told_ = {{.id = "t/1.1"}};
    EXPECT_EQ(grade(snakes, 1).inputs.size(), 1U);
    told_ = {{.id = "t/1.10"}};
    EXPECT_THAT(grade(snakes, 1).inputs, testing::IsEmpty());
}

TEST_F(Boards, ABotSeesTheBoardOfItsFirstFault) {
    EXPECT_THAT(grade(snakes, 2).inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 2", "#####\n  o _\n#####")));
    EXPECT_THAT(grade(snakes, 0).inputs, testing::IsEmpty()) << "nothing went wrong in a turn";
    EXPECT_THAT(grade("no replay", 2).inputs, testing::IsEmpty());
}

TEST_F(Boards, TheTurnIsThatWhichTheReasonNames) {
    told_ = {{.id = "t/1.1"}, {.id = "t/1.2", .turn = 1}, {.id = "t/1.1", .turn = 2}};
    EXPECT_THAT(grade(snakes, 1).inputs,
                ElementsAre(Pair("The board of game t/1.1, turn 2", testing::_)));
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

using testing::HasSubstr;

class FaultWords : public testing::Test {
 protected:
    FaultWords() {
        result_.key = {.tournament = "t", .match = 1, .number = 1};
        result_.game = "walls";
        result_.bots = {"ann", "bob"};
    }

    Fault& fault(FaultCode code, std::int64_t turn, const std::string& message) {
        auto& fault = result_.faults.emplace_back();
        fault.code = code;
        fault.turn = turn;
        fault.message = message;
        return fault;
    }
    void write(const std::string& file, const std::string& text) {
        made_.write(file.substr(path_.size() + 1), text);
    }
    std::string said(bool by_adapter) {
        return with_words(result_, 0, by_adapter, path_).faults.back().message;
    }

    const tests::FolderOfTest made_;
    const std::string& path_ = made_.path;
    report::OutputFolder folder_{path_, false};
    GameResult result_;
};

TEST_F(FaultWords, AnAdaptersWordsAreTheCause) {
    fault(FaultCode::illegal, 2, "letter 1, N: a wall is there");
    write(folder_.debug_file(result_.key, "ann"), R"({"turn":2,"debug":"it printed 2 lines"})");
    EXPECT_EQ(said(true), "it printed 2 lines; so: letter 1, N: a wall is there");
    EXPECT_EQ(said(false), "letter 1, N: a wall is there (said of this move: it printed 2 lines)")
        << "a bot's own words may be about anything";
}

TEST_F(FaultWords, WhatWasExpectedIsSaidOnce) {
    fault(FaultCode::malformed, 2, "expected one of \"U\", \"D\", found 5; the ship stays");
    write(folder_.debug_file(result_.key, "ann"),
          R"({"turn":2,"debug":"an array; expected one character"})");
    EXPECT_EQ(said(true), "an array; expected one character; so: the ship stays");
}

TEST_F(FaultWords, WhoSpeaksByAnAdapterReadsNoExampleOfTheProtocol) {
    for (const auto& [message, told] :
         {std::pair("No move was given: an idle move. Expected \"F\", \"L\" or \"R\" (turn). "
                    "(strike 1 of 3)",
                    "No move was given: an idle move. (strike 1 of 3)"),
          std::pair("No move was given. Expected a list of 1 cell such as [[168, 45]]: all are "
                    "terminated.",
                    "No move was given: all are terminated.")}) {
        fault(FaultCode::malformed, 2, message).rule = "g.missing_move";
        EXPECT_EQ(said(true), told);
        EXPECT_EQ(said(false), message);
    }
}

TEST_F(FaultWords, WhatAProgramGaveIsNoMoveButItCame) {
    for (const std::string begin : {"No", "no"}) {
        auto& none = fault(FaultCode::malformed, 2, begin + " move was given: all are terminated.");
        none.rule = "g.missing_move";
        none.evidence.received = R"({"type":"move","turn":2,"move":null})";
        write(folder_.debug_file(result_.key, "ann"), R"({"turn":2,"debug":"it gave a list"})");
        EXPECT_EQ(said(true), "it gave a list; so: no valid move came: all are terminated.");
    }
}

// One cause, whatever of it was seen when the turn was over: nothing, or that an adapter gave up
// on an earlier turn, which is no answer of the program.
TEST_F(FaultWords, TurnsOfAProgramThatIsSilentAreToldAlike) {
    const std::string silent = "late; nothing came by then: it slept or waited for input";
    const std::string gave_up = "late; its answer to turn 1 came 2.000 ms into this turn, and none";
    const std::string thinking = "late; nothing came by then: it was thinking";
    write(folder_.debug_file(result_.key, "ann"),
          R"({"turn":1,"debug":"the program gave no answer in time"})");
    for (const std::int64_t turn : {1, 3, 5}) {
        auto& late = fault(FaultCode::late, turn, turn == 3 ? gave_up : silent);
        if (turn == 3) late.evidence.received = R"({"type":"move","turn":1,"move":null})";
        EXPECT_EQ(said(true), "the program gave no answer in time; so: late") << turn;
        EXPECT_THAT(said(false), HasSubstr(turn == 3 ? "turn 1 came 2 ms into" : silent)) << turn;
    }
    fault(FaultCode::late, 7, thinking);
    EXPECT_THAT(said(true), HasSubstr(thinking));
}

TEST_F(FaultWords, HowMuchTooLateAnAnswerCameIsToldFromTheReplay) {
    fault(FaultCode::late, 3, "late");
    write(folder_.replay_file(result_.key),
          "{}\n{\"result\":{},\"times\":[{\"turn\":3,\"seat\":1,\"over_us\":7},"
          "{\"turn\":3,\"seat\":0,\"took_us\":1203000,\"over_us\":203000}]}\n");
    EXPECT_EQ(said(true), "late; too late by 203 ms");
    auto& charged = fault(FaultCode::late, 4, "charged 1 s of 1 s").evidence;
    charged.received_us = 5;
    charged.charged_us = 1'000'400;
    charged.budget_us = 1'000'000;
    EXPECT_EQ(said(false), "charged 1 s of 1 s; too late by 0.4 ms");
}

}  // namespace

}  // namespace referee::grading
