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

TEST(Table, plays_a_game_to_the_end_and_tells_it_after_the_announcement) {
    Duel at;
    const auto start = at.ada.last("start");
    EXPECT_EQ(start["match"], "t/1");
    EXPECT_EQ(start["seat"], 0);
    EXPECT_EQ(start["names"], Json({"ada", "bob"}));
    EXPECT_EQ(start["params"]["size"], 3);
    EXPECT_FALSE(start.contains("seed"));
    EXPECT_FALSE(start.contains("resumed"));
    for (int turn = 1; at.finished == 0 && turn < 200; ++turn) {
        auto& bot = at.game().awaits(0) ? at.ada : at.bob;
        at.move(bot, bot.last("turn")["turn"], turn % 3 == 0 ? "F" : "R");
    }
    EXPECT_EQ(at.finished, 1);
    EXPECT_THAT(at.ada.heard("end"), IsEmpty());
    at.table->announce();
    at.room.pass(1ms);
    for (const auto* bot : {&at.ada, &at.bob}) {
        ASSERT_EQ(bot->heard("end").size(), 1U);
        const auto end = bot->last("end");
        EXPECT_EQ(end["turns"], at.game().result().turns);
        EXPECT_EQ(end["seats"][1]["name"], "bob");
        EXPECT_EQ(end["seed"], 1);
    }
    EXPECT_EQ(at.room.lobby->bot("ada").free_seats(), 1U);
}

TEST(Table, tells_what_became_of_the_last_answer) {
    Duel at;
    EXPECT_FALSE(at.ada.last("turn").contains("last"));
    at.room.pass(30ms);
    at.move(at.ada, 1, "X");
    at.move(at.bob, 2, "R");
    const auto last = at.ada.last("turn")["last"];
    EXPECT_EQ(last["turn"], 1);
    EXPECT_EQ(last["late"], false);
    EXPECT_EQ(last["move"], "X");
    EXPECT_NEAR(last["charged_us"].get<double>(), 30'000, 10);
    EXPECT_EQ(last["notes"].size(), 1U);
    EXPECT_EQ(last["notes"][0]["seat"], 0);
    EXPECT_EQ(at.ada.last("fault")["code"], "malformed");
    EXPECT_THAT(at.ada.last("fault")["evidence"]["received"].get<std::string>(),
                HasSubstr("\"move\":\"X\""));
    EXPECT_THAT(at.bob.heard("fault"), IsEmpty());
}

TEST(Table, the_stamp_decides_and_not_who_was_looked_at_first) {
    struct Case {
        std::string_view name;
        Duration arrives;
        bool in_time;
    };
    // The reader is woken long after the bytes arrive, so the deadline's timer comes first.
    LinkTraits sluggish{.read_lag = 300ms};
    for (const auto& one :
         {Case{"just in time", 1s, true}, Case{"a nanosecond late", 1s + 1ns, false}}) {
        TableRoom at;
        auto& ada = at.room.log_in("ada", sluggish);
        auto& bob = at.room.log_in("bob");
        at.room.pass(1s);
        at.play({"ada", "bob"}, {&ada, &bob});
        at.room.pass(301ms);
        const auto sent = at.game().sent_at(0);
        at.room.world.outside().schedule(sent + one.arrives, [&] { ada.move(at.id(), 1, "R"); });
        at.room.pass(2s);
        const bool taken = at.game().history().find("[\"R\",null]") != std::string_view::npos;
        EXPECT_EQ(taken, one.in_time) << one.name;
    }
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

// Lines that lie unread together hide when the first of them came. So a game that waits for a late
// answer looks for it again and again, whatever wakes the reader.
TEST(Table, an_answer_that_is_late_already_is_looked_for) {
    TableRoom at;
    at.setup.clock.waits_for_late = true;
    LinkTraits sluggish{.read_lag = 3s};
    auto& ada = at.room.log_in("ada", sluggish);
    auto& bob = at.room.log_in("bob");
    at.room.pass(4s);
    at.play({"ada", "bob"}, {&ada, &bob});
    at.room.pass(3s);
    ASSERT_EQ(at.game().turn(), 1);
    at.room.pass(1100ms);
    EXPECT_EQ(ada.last("fault")["code"], "late");
    ada.move(at.id(), 1, "F");
    at.room.pass(referee::play::late_look_every);
    EXPECT_EQ(at.game().turn(), 2);
    EXPECT_TRUE(at.table->deadline(1)) << "that of the next turn";
    at.room.pass(1100ms);
    at.table->stop(referee::GameStatus::annulled, "the test is over");
    EXPECT_FALSE(at.table->deadline(1));
}

TEST(Table, a_late_answer_to_an_old_turn_is_noted) {
    Duel at;
    at.room.pass(1100ms);
    EXPECT_EQ(at.ada.last("fault")["code"], "late");
    at.move(at.ada, 1, "F");
    EXPECT_EQ(at.ada.last("note")["code"], "old_turn");
    EXPECT_EQ(at.ada.last("note")["turn"], 1);
    const auto took = at.ada.last("note")["took_us"].get<std::int64_t>();
    EXPECT_EQ(took, 1'100'001) << "with the line's own microsecond";
    EXPECT_EQ(at.ada.last("note")["over_us"], took - 1'000'000);
    EXPECT_THAT(
        at.ada.last("note")["message"].get<std::string>(),
        HasSubstr(": it came 1100.001 ms after the turn was sent, and so 100.001 ms too late"));
    EXPECT_EQ(at.game().turn(), 2);
}

TEST(Table, debug_text_is_kept_for_its_owner_and_its_cut_is_told) {
    Duel at;
    Json move{
        {"type", "move"}, {"game_id", at.id()}, {"turn", 1}, {"move", "F"}, {"debug", "depth 4"}};
    at.ada.say(move);
    at.room.pass(1ms);
    EXPECT_THAT(at.ada.heard("note"), IsEmpty());
    EXPECT_EQ(at.table->debug_text(0), "{\"turn\":1,\"debug\":\"depth 4\"}\n");
    move["turn"] = 2;
    move["debug"] = std::string(2000, 'd');
    at.bob.say(move);
    at.room.pass(1ms);
    EXPECT_EQ(at.bob.last("note")["code"], "debug_cut");
    EXPECT_EQ(at.bob.last("note")["turn"], 2);
    EXPECT_LT(at.table->debug_text(1).size(), 1100U);
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

TEST(Table, stopped_it_is_told_to_be_forgotten) {
    Duel at;
    at.table->stop(referee::GameStatus::interrupted, "the referee was stopped");
    EXPECT_EQ(at.finished, 1);
    at.table->announce();
    at.room.pass(1ms);
    EXPECT_EQ(at.ada.last("note")["code"], "interrupted");
    at.move(at.ada, 1, "F");
    EXPECT_EQ(at.ada.last("note")["code"], "game_over");
}

TEST(Table, a_stall_of_the_referee_annuls_the_game) {
    Duel at;
    at.room.pass(500ms);
    at.room.world.stall(200ms);
    at.room.pass(800ms);  // 300 ms beyond its budget, 200 of them by the referee's own stall
    ASSERT_FALSE(at.game().finished()) << "it is waited for so much longer";
    at.move(at.ada, 1, "F");
    ASSERT_TRUE(at.game().finished());
    EXPECT_EQ(at.game().result().status, referee::GameStatus::annulled);
    EXPECT_THAT(at.game().result().reason, HasSubstr("200.000 ms in turn 1 (simulated)"));
    at.table->announce();
    at.room.pass(1ms);
    EXPECT_EQ(at.bob.last("note")["code"], "annulled");
}

TEST(Table, is_destroyed_in_the_middle_without_a_trace) {
    Duel at;
    const auto id = at.id();
    at.table.reset();
    at.ada.move(id, 1, "F");
    at.room.pass(1ms);
    EXPECT_EQ(at.ada.last("note")["code"], "game_over");
    EXPECT_TRUE(at.room.world.quiet());
}

}  // namespace
}  // namespace tests::sim
