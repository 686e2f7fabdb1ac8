#include "referee/grading/run/fault_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "referee/report/output_folder.h"

namespace referee::grading {
namespace {

using testing::HasSubstr;

class FaultWords : public testing::Test {
 protected:
    FaultWords() {
        std::filesystem::remove_all(path_);
        result_.key = {.tournament = "t", .match = 1, .number = 1};
        result_.game = "walls";
        result_.bots = {"ann", "bob"};
    }
    ~FaultWords() override { std::filesystem::remove_all(path_); }

    Fault& fault(FaultCode code, std::int64_t turn, const std::string& message) {
        auto& fault = result_.faults.emplace_back();
        fault.code = code;
        fault.turn = turn;
        fault.message = message;
        return fault;
    }
    void write(const std::string& file, const std::string& text) {
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        ASSERT_TRUE(report::write_file(file, text));
    }
    std::string said(bool by_adapter) {
        return with_words(result_, 0, by_adapter, path_).faults.back().message;
    }

    std::string path_ = testing::TempDir() + "fault-words";
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

// An adapter that gave up on a turn says so in a later one: that is no answer of the program.
TEST_F(FaultWords, ATurnThatAnAdapterGaveUpHasNoAnswer) {
    fault(FaultCode::late, 3, "late; its answer to turn 1 came 2.000 ms into this turn, and none")
        .evidence.received = R"({"type":"move","turn":1,"move":null})";
    write(folder_.debug_file(result_.key, "ann"), R"({"turn":1,"debug":"it printed no line"})");
    EXPECT_EQ(said(true), "late; of turn 1 before it: it printed no line");
    EXPECT_THAT(said(false), HasSubstr("its answer to turn 1 came 2 ms into this turn"));
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

TEST_F(FaultWords, MovesInVainAreCounted) {
    result_.game = "e7_planets";
    write(folder_.replay_file(result_.key), R"({})"
                                            "\n"
                                            R"({"turn":1,"notes":[]})"
                                            "\n"
                                            R"({"turn":2,"notes":[{"seat":0,"code":"bumped"}]})"
                                            "\n"
                                            R"({"turn":3,"notes":[{"seat":0,"code":"bumped"}]})"
                                            "\n");
    EXPECT_EQ(moves_in_vain(result_, path_),
              "; in 2 turns an asteroid field was ahead, and the ship stayed (the first: turn 2)");
    result_.game = "walls";
    EXPECT_EQ(moves_in_vain(result_, path_), "");
}

}  // namespace
}  // namespace referee::grading
