#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/game/play/play.h"
#include "tests/sim/lobby_room.h"

// A game between bots on the wire.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TableTest : public ::testing::Test, public Duel {};

TEST_F(TableTest, plays_a_game_to_the_end_and_tells_it_after_the_announcement) {
    const auto start = ada.last("start");
    EXPECT_EQ(start["match"], "t/1");
    EXPECT_EQ(start["seat"], 0);
    EXPECT_EQ(start["names"], Json({"ada", "bob"}));
    EXPECT_EQ(start["params"]["size"], 3);
    EXPECT_FALSE(start.contains("seed"));
    EXPECT_FALSE(start.contains("resumed"));
    for (int turn = 1; finished == 0 && turn < 200; ++turn) {
        auto& bot = game().awaits(0) ? ada : bob;
        move(bot, bot.last("turn")["turn"], turn % 3 == 0 ? "F" : "R");
    }
    EXPECT_EQ(finished, 1);
    EXPECT_THAT(ada.heard("end"), IsEmpty());
    table->announce();
    room.pass(1ms);
    for (const auto* bot : {&ada, &bob}) {
        ASSERT_EQ(bot->heard("end").size(), 1U);
        const auto end = bot->last("end");
        EXPECT_EQ(end["turns"], game().result().turns);
        EXPECT_EQ(end["seats"][1]["name"], "bob");
        EXPECT_EQ(end["seed"], 1);
    }
    EXPECT_EQ(room.lobby->bot("ada").free_seats(), 1U);
}

TEST_F(TableTest, tells_what_became_of_the_last_answer) {
    EXPECT_FALSE(ada.last("turn").contains("last"));
    room.pass(30ms);
    move(ada, 1, "X");
    move(bob, 2, "R");
    const auto last = ada.last("turn")["last"];
    EXPECT_EQ(last["turn"], 1);
    EXPECT_EQ(last["late"], false);
    EXPECT_EQ(last["move"], "X");
    EXPECT_NEAR(last["charged_us"].get<double>(), 30'000, 10);
    EXPECT_EQ(last["notes"].size(), 1U);
    EXPECT_EQ(last["notes"][0]["seat"], 0);
    EXPECT_EQ(ada.last("fault")["code"], "malformed");
    EXPECT_THAT(ada.last("fault")["evidence"]["received"].get<std::string>(),
                HasSubstr("\"move\":\"X\""));
    EXPECT_THAT(bob.heard("fault"), IsEmpty());
}

// Sending takes time. Where several deadlines are due at once, none is judged later because of what
// follows from another; and an answer that lies in the kernel counts as ever.
TEST(Table, judges_all_that_is_due_before_it_sends_what_follows) {
    TableRoom at("light_cycles",
                 R"({"width":9,"height":9,"teams":4,"cycles_per_team":1,"mean_budget_us":1000000,
                                     "starts":[[1,1],[7,7],[1,7],[7,1]]})");
    LinkTraits sluggish{.read_lag = 300ms};
    std::vector<ScriptedBot*> bots;
    for (const auto* name : {"ada", "bob", "cleo"}) bots.push_back(&at.room.log_in(name));
    bots.push_back(&at.room.log_in("dora", sluggish));
    at.room.pass(1s);
    at.play({"ada", "bob", "cleo", "dora"}, bots);
    at.room.pass(301ms);
    ASSERT_EQ(at.game().turn(), 1);
    for (engines::Seat seat = 1; seat < 4; ++seat)
        ASSERT_EQ(at.game().sent_at(seat), at.game().sent_at(0));
    for (auto* bot : bots) bot->link->writes_take(5ms);
    at.room.world.outside().schedule(at.game().sent_at(0) + 1s, [&] {
        bots[3]->move(at.id(), 1, Json{{6, 1}});
    });
    at.room.pass(1500ms);
    const auto& faults = at.game().faults();
    ASSERT_EQ(faults.size(), 3U);
    for (engines::Seat seat = 0; seat < 3; ++seat) {
        EXPECT_EQ(faults[seat].seat, seat);
        EXPECT_EQ(faults[seat].code, referee::FaultCode::late);
        EXPECT_EQ(*faults[seat].evidence.noticed_us - *faults[seat].evidence.sent_us, 1'000'000)
            << seat;
    }
    EXPECT_THAT(std::string(at.game().history()), HasSubstr("[null,null,null,[[6,1]]]"));
    EXPECT_EQ(at.finished, 1);
    for (auto* bot : {bots[0], bots[1], bots[2]}) EXPECT_EQ(bot->heard("fault").size(), 1U);
}

TEST_F(TableTest, a_late_answer_to_an_old_turn_is_noted) {
    room.pass(1100ms);
    EXPECT_EQ(ada.last("fault")["code"], "late");
    move(ada, 1, "F");
    EXPECT_EQ(ada.last("note")["code"], "old_turn");
    EXPECT_EQ(ada.last("note")["turn"], 1);
    const auto took = ada.last("note")["took_us"].get<std::int64_t>();
    EXPECT_EQ(took, 1'100'001) << "with the line's own microsecond";
    EXPECT_EQ(ada.last("note")["over_us"], took - 1'000'000);
    EXPECT_THAT(
        ada.last("note")["message"].get<std::string>(),
        HasSubstr(": it came 1100.001 ms after the turn was sent, and so 100.001 ms too late"));
    EXPECT_EQ(game().turn(), 2);
}

TEST_F(TableTest, debug_text_is_kept_for_its_owner_and_its_cut_is_told) {
    Json move{
        {"type", "move"}, {"game_id", id()}, {"turn", 1}, {"move", "F"}, {"debug", "depth 4"}};
    ada.say(move);
    room.pass(1ms);
    EXPECT_THAT(ada.heard("note"), IsEmpty());
    EXPECT_EQ(table->debug_text(0), "{\"turn\":1,\"debug\":\"depth 4\"}\n");
    move["turn"] = 2;
    move["debug"] = std::string(2000, 'd');
    bob.say(move);
    room.pass(1ms);
    EXPECT_EQ(bob.last("note")["code"], "debug_cut");
    EXPECT_EQ(bob.last("note")["turn"], 2);
    EXPECT_LT(table->debug_text(1).size(), 1100U);
}

TEST(Table, a_bot_that_is_away_when_the_game_begins_has_its_ready_budget_to_come) {
    TableRoom at;
    auto& bob = at.room.log_in("bob");
    at.start({"ada", "bob"});
    bob.ready(at.id());
    at.room.pass(5s);
    auto& ada = at.room.log_in("ada");
    const auto start = ada.last("start");
    EXPECT_EQ(start["resumed"], true);
    EXPECT_EQ(start["turn"], 0);
    EXPECT_EQ(ada.last("history")["turns"], Json::array());
    ada.ready(at.id());
    at.room.pass(1ms);
    EXPECT_EQ(ada.last("turn")["turn"], 1);
    EXPECT_THAT(at.game().faults(), IsEmpty());
}

TEST_F(TableTest, stopped_it_is_told_to_be_forgotten) {
    table->stop(referee::GameStatus::interrupted, "the referee was stopped");
    EXPECT_EQ(finished, 1);
    table->announce();
    room.pass(1ms);
    EXPECT_EQ(ada.last("note")["code"], "interrupted");
    move(ada, 1, "F");
    EXPECT_EQ(ada.last("note")["code"], "game_over");
}

TEST_F(TableTest, is_destroyed_in_the_middle_without_a_trace) {
    const auto ended = id();
    table.reset();
    ada.move(ended, 1, "F");
    room.pass(1ms);
    EXPECT_EQ(ada.last("note")["code"], "game_over");
    EXPECT_TRUE(room.world.quiet());
}

}  // namespace
}  // namespace tests::sim
