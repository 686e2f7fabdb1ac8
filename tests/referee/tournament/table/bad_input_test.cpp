#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/bad_lines.h"
#include "tests/sim/lobby_room.h"

// Bad input during a game: the turn goes on, and nothing wrong is ever applied.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
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

TEST_F(BadInput, lines_that_are_no_message_leave_the_turn_running) {
    for (const auto& bad : bad_lines()) {
        ada.forget();
        ada.say(std::string_view(bad.line));
        room.pass(1ms);
        EXPECT_EQ(ada.error(), protocol::name_of(bad.code)) << bad.name;
        EXPECT_EQ(game().turn(), 3) << bad.name;
        EXPECT_TRUE(game().awaits(0)) << bad.name;
    }
    EXPECT_EQ(game().faults().size(), bad_lines().size());
    EXPECT_EQ(game().faults()[0].code, referee::FaultCode::protocol);
    EXPECT_EQ(game().faults()[0].consequence, referee::Consequence::none);
    move(ada, 3, "F");
    EXPECT_EQ(game().turn(), 4);
    EXPECT_THAT(bob.heard("fault"), IsEmpty());
}

struct Stray {
    std::string_view name;
    std::string game_id;
    std::int64_t turn;
    std::string_view type;
    std::string_view code;
};

TEST_F(BadInput, moves_that_do_not_fit_are_never_applied) {
    const auto before = std::string(game().history());
    const Stray strays[] = {
        {"another game", "t/9.9", 3, "error", "unknown_game"},
        {"no game", "", 3, "error", "unknown_game"},
        {"an old turn", id(), 1, "note", "old_turn"},
        {"the other's turn", id(), 2, "note", "old_turn"},
        {"the next turn", id(), 4, "error", "future_turn"},
        {"a far turn", id(), INT64_MAX, "error", "future_turn"},
    };
    for (const auto& one : strays) {
        ada.forget();
        ada.move(one.game_id, one.turn, "F");
        room.pass(1ms);
        EXPECT_EQ(ada.last(std::string(one.type))["code"], one.code) << one.name;
        EXPECT_EQ(std::string(game().history()), before) << one.name;
        EXPECT_TRUE(game().awaits(0)) << one.name;
    }
    EXPECT_THAT(game().faults(), IsEmpty());
}

TEST_F(BadInput, a_second_answer_is_told_as_such) {
    const auto told = [&](ScriptedBot& bot) {
        move(bot, 1, "F");
        return bot.last("note")["message"];
    };
    EXPECT_EQ(told(ada),
              "turn 1 is over, and has been answered already; this further answer was dropped");
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
    EXPECT_TRUE(game().awaits(0));
}

TEST_F(BadInput, half_a_line_and_then_silence_is_the_clocks_business) {
    ada.say_raw(R"({"type":"move","game_id":")");
    room.pass(1100ms);
    EXPECT_EQ(ada.last("fault")["code"], "late");
    EXPECT_EQ(game().turn(), 4);
    ada.say_raw(id() + R"(","turn":3,"move":"F"})" + "\n");
    room.pass(1ms);
    EXPECT_EQ(ada.last("note")["code"], "old_turn");
    EXPECT_FALSE(ada.closed);
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
                 R"({"width":9,"height":9,"teams":3,"cycles_per_team":1,"mean_budget_us":1000000,
                                     "starts":[[1,1],[7,7],[1,7]]})");
    auto& ada = at.room.log_in("ada");
    auto& bob = at.room.log_in("bob");
    auto& eve = at.room.log_in("eve");
    at.play({"ada", "bob", "eve"}, {&ada, &bob, &eve});
    ada.move(at.id(), 1, Json{{2, 1}});
    at.move(ada, 1, Json{{1, 2}});
    EXPECT_EQ(ada.error(), "already_answered");
    bob.move(at.id(), 1, Json{{6, 7}});
    at.room.pass(1100ms);  // eve sleeps
    EXPECT_THAT(std::string(at.game().history()), HasSubstr("[[[2,1]],[[6,7]],null]"));
    EXPECT_EQ(eve.last("fault")["code"], "late");
    EXPECT_EQ(at.game().turn(), 2);
}

}  // namespace
}  // namespace tests::sim
