#include "referee/watch/web/replays.h"

#include <gtest/gtest.h>

#include "referee/roster/pseudonyms/pseudonyms.h"
namespace referee::web {
namespace {

std::string replay_of(const std::string& bots, const std::string& status) {
    return R"({"replay":1,"game_id":"t/1.1","game":"superball","seed":7,"params":{},"bots":)" +
           bots + "}\n" + R"({"result":{"status":")" + status + R"(","faults":[]}})" + "\n";
}

TEST(DiscretionTest, ASeedThatOthersPlayFromIsTheInstructors) {
    const Visitor instructor{{}, true};
    const Visitor ann{"ann", false};
    for (const auto& visitor : {Visitor{}, ann}) {
        EXPECT_FALSE(may_know_seed(replay_of(R"(["ann"])", "played"), visitor));
        EXPECT_FALSE(may_know_seed(replay_of(R"(["ann","bob"])", "annulled"), visitor));
        EXPECT_FALSE(may_know_seed("no replay", visitor));
        EXPECT_TRUE(may_know_seed(replay_of(R"(["ann","bob"])", "played"), visitor));
        EXPECT_TRUE(may_know_seed(replay_of(R"(["ann","bob"])", "forfeited"), visitor));
    }
    EXPECT_TRUE(may_know_seed(replay_of(R"(["ann"])", "played"), instructor));
}

// What was measured is nobody's secret.
TEST(DiscretionTest, WhatABotSentWronglyIsItsOwnAndTheInstructors) {
    const auto fault = [](const std::string& evidence, const std::string& message) {
        return R"({"seat":0,"code":"malformed","message":")" + message + R"(","evidence":)" +
               evidence + "}";
    };
    const std::string setup = R"({"replay":1,"game":"walls","bots":["ann","bob"]})"
                              "\n";
    const auto replay =
        setup + R"({"result":{"status":"played","program":["sha256:a","sha256:b"],"faults":[)" +
        fault(R"({"received":"a secret","received_us":5,"measure":"wall"})", "it sent a secret") +
        "]}}\n";
    const auto others =
        setup + R"({"result":{"status":"played","program":["","sha256:b"],"faults":[)" +
        fault(R"({"received_us":5,"measure":"wall"})", "what it sent has not the form of a move") +
        "]}}\n";
    EXPECT_EQ(replay_for(replay, {{}, true}), replay);
    EXPECT_EQ(replay_for(replay, {"bob", false}), others);
    EXPECT_NE(replay_for(replay, {"ann", false}).find("a secret"), std::string::npos);
    EXPECT_EQ(replay_for(replay, {}).find("secret"), std::string::npos);
}

}  // namespace

}  // namespace referee::web
