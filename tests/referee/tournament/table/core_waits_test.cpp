#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/tournament/table/launched_room.h"

// What a launched bot waits for a core: it is not charged.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;

TEST(Launched, a_wait_for_a_core_is_not_charged) {
    LaunchedRoom at("walls", R"({"size":3})", 2);
    at.setup.clock = referee::clock::completed({.budget = 1s});
    at.launch({"ada", "bob"});
    at.begin();
    at.room.pass(900ms);
    at.processes[0].waited = 600ms;
    at.bots[0]->move(at.id(), 1, "R");
    at.room.pass(1ms);
    at.processes[1].may_wait = 700ms;
    at.room.pass(1500ms);
    EXPECT_THAT(at.game().faults(), IsEmpty()) << "it may have waited, so it is waited for";
    at.processes[1].waited = 650ms;
    at.bots[1]->move(at.id(), 2, "R");
    at.room.pass(1ms);
    EXPECT_THAT(at.game().faults(), IsEmpty());
    const auto charged_ms = [](const ScriptedBot& bot) {
        return bot.last("turn")["last"]["charged_us"].get<std::int64_t>() / 1000;
    };
    EXPECT_EQ(charged_ms(*at.bots[0]), 900 - 600);
    at.room.pass(100ms);
    at.bots[0]->move(at.id(), 3, "R");
    at.room.pass(1ms);
    EXPECT_EQ(charged_ms(*at.bots[1]), 1501 - 650);
    at.processes[1].may_wait = 700ms;
    at.room.pass(1600ms);
    at.bots[1]->move(at.id(), 4, "R");
    at.room.pass(1ms);
    ASSERT_EQ(at.game().faults().size(), 1U) << "it had not waited after all";
    EXPECT_EQ(at.game().faults()[0].code, referee::FaultCode::late);
    EXPECT_EQ(at.game().faults()[0].evidence.charged_us, 1'601'000);
}

// As where a compiler or an interpreter's start waited: whoever has ended is counted no more.
TEST(Launched, what_waited_for_a_core_and_has_ended_is_remembered_until_the_time_is_over) {
    LaunchedRoom at("walls", R"({"size":3})", 2);
    at.setup.ready_budget = 3s;
    at.setup.clock = referee::clock::completed({.budget = 3s});
    at.launch({"ada", "bob"});
    at.start(at.names);
    at.bots[1]->say(Json{{"type", "ready"}, {"game_id", at.id()}});
    at.processes[0].may_wait = 2s;
    at.room.pass(2900ms);
    at.processes[0].may_wait = 0s;
    at.room.pass(1500ms);
    at.bots[0]->say(Json{{"type", "ready"}, {"game_id", at.id()}});
    at.room.pass(1ms);
    EXPECT_THAT(at.game().faults(), IsEmpty()) << "while it got ready";
    ASSERT_EQ(at.turns()[0], 1U);
    at.processes[0].may_wait = 2s;
    at.room.pass(2900ms);
    at.processes[0].may_wait = 0s;
    at.room.pass(1500ms);
    EXPECT_THAT(at.game().faults(), IsEmpty()) << "in its turn";
    at.room.pass(700ms);
    EXPECT_EQ(at.game().faults().size(), 1U) << "it has had its time";
    at.bots[1]->move(at.id(), 2, "R");
    at.room.pass(2900ms);
    EXPECT_EQ(at.game().faults().size(), 1U);
    at.room.pass(200ms);
    EXPECT_EQ(at.game().faults().size(), 2U) << "a wait is one turn's";
}

}  // namespace
}  // namespace tests::sim
