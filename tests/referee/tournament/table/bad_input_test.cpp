#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"

// Bad input during a game: the turn goes on, and nothing wrong is ever applied.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class BadInput : public ::testing::Test, public Duel {
 protected:
    BadInput() {
        ada.move(id(), 1, "R");
        room.pass(1us);
        bob.move(id(), 2, "R");
        room.pass(1us);
    }
};

TEST_F(BadInput, a_second_answer_is_told_as_such) {
    const auto told = [&](ScriptedBot& bot) {
        move(bot, 1, "F");
        return bot.last("note")["message"];
    };
    EXPECT_EQ(told(ada),
              "turn 1 is over, and has been answered already; this further answer was dropped");
    move(ada, 0, "F");
    EXPECT_EQ(ada.last("note")["message"],
              "turns count from 1, and this game is at turn 3; an answer to turn 0 was dropped");
    EXPECT_EQ(told(bob), "an answer to turn 1, which is over; it was dropped") << "it was ada's";
}

TEST_F(BadInput, a_move_of_another_game_is_evidence_where_no_answer_comes) {
    ada.move("t/9.9", 3, "F");
    room.pass(1ms);
    EXPECT_THAT(ada.last("error")["message"].get<std::string>(),
                HasSubstr("expected the game_id that start and turn tell, now \"" + id() + '"'));
    room.pass(1100ms);
    const auto fault = ada.last("fault");
    EXPECT_EQ(fault["code"], "late");
    EXPECT_THAT(fault["message"].get<std::string>(), HasSubstr("no answer to this turn"));
    EXPECT_THAT(fault["evidence"]["received"].get<std::string>(), HasSubstr("t/9.9"));
}

TEST_F(BadInput, a_move_out_of_turn) {
    move(bob, 3, "F");
    EXPECT_EQ(bob.error(), "not_to_move");
    move(ada, 4, "F");
    EXPECT_EQ(ada.error(), "future_turn");
    EXPECT_TRUE(game().awaits(0));
}

TEST_F(BadInput, a_flood_forfeits_by_default) {
    std::string flood;
    while (flood.size() < 3'000'000) flood += "{\"type\":\"ping\",\"id\":7}\n";
    bob.say_raw(flood);
    ada.move(id(), 3, "L");
    for (int i = 0; i < 100 && finished == 0; ++i) {
        room.pass(100ms);
        if (game().awaits(0)) ada.move(id(), game().turn(), "L");
    }
    EXPECT_EQ(game().result().status, referee::GameStatus::forfeited);
    EXPECT_EQ(game().result().outcome.placing, (std::vector<int>{1, 2}));
}

TEST_F(BadInput, whoever_is_not_read_for_its_flood_is_told_so) {
    std::string flood;
    while (flood.size() < 1'000'000) flood += "{\"type\":\"ping\",\"id\":7}\n";
    setup.faults = {};
    bob.say_raw(flood);
    ada.move(id(), 3, "L");
    room.pass(1100ms);
    ASSERT_FALSE(game().faults().empty());
    EXPECT_EQ(game().faults()[0].code, referee::FaultCode::late);
    EXPECT_THAT(game().faults()[0].message, HasSubstr("not listened to for a while"));
}

TEST_F(BadInput, tokens_are_not_recorded) {
    for (const auto* line : {R"({"type":"login","name":"ada","token":"s3cr3t","games":"walls"})",
                             R"({"token":"s3cr3t"})", R"({"\u0074oken":"s3cr3t"})",
                             R"({"type":"login","name":"s3cr3t")", R"({"Password":"s3cr3t"})",
                             R"({"name":"ada","key":"s3cr3t"})"}) {
        ada.say(std::string_view(line));
    }
    room.pass(1ms);
    for (const auto& fault : game().faults())
        EXPECT_THAT(fault.message, HasSubstr("the line is not shown"));
    for (const auto* line :
         {"just a line", R"({"type":"move","move":"\L"})", R"({"type":"move","move":"x\u0001"})"}) {
        ada.say(std::string_view(line));
        room.pass(1ms);
        EXPECT_EQ(game().faults().back().evidence.received, line);
    }
    table->stop(referee::GameStatus::interrupted, "enough");
    EXPECT_EQ(game().faults().size(), 9U);
    EXPECT_THAT(game().replay(), Not(HasSubstr("s3cr3t")));
    EXPECT_THAT(game().replay(), HasSubstr("just a line"));
}

TEST(BadInputOfMany, twice_in_a_simultaneous_turn) {
    TableRoom at("light_cycles",
                 R"({"width":9,"height":9,"teams":2,"cycles_per_team":1,"starts":[[1,1],[7,7]]})");
    auto& ada = at.room.log_in("ada");
    at.play({"ada", "bob"}, {&ada, &at.room.log_in("bob")});
    ada.move(at.id(), 1, Json{{2, 1}});
    at.move(ada, 1, Json{{1, 2}});
    EXPECT_EQ(ada.error(), "already_answered");
}

}  // namespace
}  // namespace tests::sim
