#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"
#include "tests/sim/simulated_bot.h"

// Which programs sat at a table, as its result and its replay tell.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(TableProgram, IsThatOfTheLaunchedBotThatSatThereLast) {
    SimulatedProcess process;
    TableRoom at;
    auto& ada = at.room.log_in("ada");
    auto& bob = at.room.log_in("bob");
    auto& launched = at.room.lobby->bot("ada");
    launched.set_process(&process);
    process.launched = {"sha256:01", "B"};
    at.play({"ada", "bob"}, {&ada, &bob});
    at.room.pass(10ms);
    process.launched = {"sha256:02", "C"};
    ada.link->break_off();
    at.room.pass(400ms);
    ASSERT_TRUE(at.room.log_in("ada").last("start")["resumed"]);
    at.table->stop(referee::GameStatus::interrupted, "enough");
    EXPECT_THAT(at.game().result().program, ElementsAre("sha256:02", ""));
    EXPECT_THAT(at.game().result().sandbox, ElementsAre("C", ""));
    EXPECT_THAT(at.game().replay(), HasSubstr(R"("program":["sha256:02",""],"sandbox":["C",""])"));
    at.table.reset();
    launched.set_process(nullptr);
}

// Else a bot that loses could come back as something else, and have the loss played again.
TEST(TableProgram, IsTheVersionThatABotSaidWhenItBegan) {
    TableRoom at;
    auto& ada = at.room.log_in("ada", {}, {{"version", "2.1"}});
    at.play({"ada", "bob"}, {&ada, &at.room.log_in("bob")});
    at.room.pass(10ms);
    ada.link->break_off();
    at.room.pass(400ms);
    ASSERT_TRUE(at.room.log_in("ada", {}, {{"version", "3"}}).last("start")["resumed"]);
    at.table->stop(referee::GameStatus::interrupted, "enough");
    EXPECT_THAT(at.game().result().program, ElementsAre("said: 2.1", ""));
}

TEST(TableProgram, IsNotToldWhereAllBotsDialledIn) {
    TableRoom at;
    at.play({"ada", "bob"}, {&at.room.log_in("ada"), &at.room.log_in("bob")});
    at.table->stop(referee::GameStatus::interrupted, "enough");
    EXPECT_THAT(at.game().result().program, IsEmpty());
    EXPECT_THAT(at.game().result().sandbox, IsEmpty());
    EXPECT_THAT(at.game().replay(), Not(HasSubstr("sandbox")));
}

TEST(Launched, plays_one_game_at_a_time) {
    SimulatedProcess process;
    TableRoom at;
    auto& ada = at.room.log_in("ada", {}, {{"parallel", 4}});
    auto& bot = at.room.lobby->bot("ada");
    EXPECT_EQ(bot.free_seats(), 4U);
    bot.set_process(&process);
    EXPECT_EQ(bot.free_seats(), 1U);
    at.room.log_in("bob");
    at.start({"ada", "bob"});
    EXPECT_EQ(bot.free_seats(), 0U);
    at.table.reset();
    EXPECT_EQ(bot.free_seats(), 1U);
    bot.set_process(nullptr);
    EXPECT_FALSE(ada.closed);
}

}  // namespace
}  // namespace tests::sim
