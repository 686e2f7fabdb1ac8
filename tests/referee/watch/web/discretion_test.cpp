#include "referee/watch/web/discretion.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace referee::web
