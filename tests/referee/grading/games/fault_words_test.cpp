#include "referee/grading/games/played_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/report/output_folder.h"
#include "tests/folder_of_test.h"

namespace referee::grading {
namespace {

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
         {std::pair(
              "No move came: an idle move. Expected \"F\", \"L\" or \"R\" (turn). (strike 1 of 3)",
              "No move came: an idle move. (strike 1 of 3)"),
          std::pair(
              "No move came. Expected a list of 1 cell such as [[168, 45]]: all are terminated.",
              "No move came: all are terminated.")}) {
        fault(FaultCode::malformed, 2, message).rule = "g.missing_move";
        EXPECT_EQ(said(true), told);
        EXPECT_EQ(said(false), message);
    }
}

TEST_F(FaultWords, WhatAProgramGaveIsNoMoveButItCame) {
    for (const std::string begin : {"No", "no"}) {
        auto& none = fault(FaultCode::malformed, 2, begin + " move came: all are terminated.");
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
