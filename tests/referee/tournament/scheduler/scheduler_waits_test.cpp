#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Told = std::vector<std::string>;

TEST_F(SchedulerTest, a_tournament_says_for_whom_its_first_games_wait_and_how_long_yet) {
    join_within = 600s;
    room.log_in("ada");
    start({"ada", "bob", "eve"});
    room.pass(19s);
    EXPECT_THAT(waits(), ElementsAre("t waits for bob and eve to connect, 9:41 left"));
    room.log_in("bob");
    scheduler->pump();
    EXPECT_THAT(waits(), ElementsAre(HasSubstr("t waits for eve to connect")));
    // It is told when the wait begins and when a bot has come, not each second.
    room.pass(30s);
    ASSERT_EQ(waits_told.size(), 2U);
    EXPECT_THAT(waits_told[0].at(0).bots, ElementsAre("bob", "eve"));
    EXPECT_THAT(waits_told[1].at(0).bots, ElementsAre("eve"));
    room.pass(600s);
    EXPECT_THAT(waits(), ::testing::Not(::testing::Contains(HasSubstr("to connect"))));
}

TEST_F(SchedulerTest, an_order_to_start_now_goes_on_without_who_is_missing) {
    join_within = 600s;
    auto& ada = room.log_in("ada");
    auto& bob = room.log_in("bob");
    start({"ada", "bob", "eve"});
    play_on(1s, {&ada, &bob});
    EXPECT_THAT(started, IsEmpty());
    scheduler->orders().start_now({"t"}, answered());
    room.pass(100ms);
    EXPECT_FALSE(started.empty());
    play_on(2s, {&ada, &bob});
    EXPECT_THAT(waits(), ElementsAre("2 games of t wait for eve, who is away, 0:03 left; then "
                                     "they are forfeited"));
    scheduler->orders().start_now({"t"}, answered());
    EXPECT_THAT(answers, ElementsAre("done", "t does not wait for bots to connect"));
    play_on(60s, {&ada, &bob});
    ASSERT_TRUE(ending);
    EXPECT_EQ(games_recorded().size(), 3U);
}

TEST(SchedulerWaiting, a_break_is_no_time_in_which_a_bot_was_to_come) {
    for (const std::string kind : {"a pause", "an abort", "a full disk"}) {
        SCOPED_TRACE(kind);
        SchedulerFixture hall;
        hall.stays = true;
        auto& ada = hall.room.log_in("ada");
        hall.start({"ada", "bob"});
        hall.room.pass(3s);  // 2 s for all, and 1 of 5 for bob's game
        auto& orders = hall.scheduler->orders();
        if (kind == "a pause") orders.pause({"t", "no network"}, hall.answered());
        if (kind == "an abort") orders.abort({"t", "no network"}, hall.answered());
        if (kind == "a full disk") hall.journal.tell_trouble("no room");
        hall.room.pass(60s);
        EXPECT_EQ(kind == "a pause", hall.waits() == Told{"t is paused (no network)"});
        if (kind == "a full disk") {
            hall.journal.tell_trouble("");
        } else {
            orders.resume({"t", "it is back"}, hall.answered());
        }
        hall.room.pass(4s);
        EXPECT_THAT(hall.games_recorded(), IsEmpty()) << "bob has its 5 s again";
        auto& bob = hall.room.log_in("bob");
        hall.play_on(30s, {&ada, &bob});
        EXPECT_EQ(hall.contest().state, TournamentState::finished);
        EXPECT_EQ(hall.games_recorded().at(0)->result.status, GameStatus::played);
        EXPECT_THAT(hall.answers, ::testing::Each("done"));
    }
}

TEST_F(SchedulerTest, a_tournament_that_had_not_begun_waits_for_the_order_after_an_abort_too) {
    stays = true;
    begins = false;
    room.log_in("ada");
    start({"ada", "bob"});
    EXPECT_THAT(waits(), ElementsAre("t waits for the order to begin"));
    scheduler->orders().abort({"t", "a slip"}, answered());
    room.pass(100ms);
    EXPECT_THAT(waits(), IsEmpty());
    scheduler->orders().resume({"t", "sorry"}, answered());
    room.pass(100ms);
    EXPECT_THAT(answers, ElementsAre("done", "done"));
    EXPECT_THAT(waits(), ElementsAre("t waits for the order to begin"));
}

TEST_F(SchedulerTest, a_round_waits_for_its_last_matches_and_a_game_for_a_lost_connection) {
    config.format.options = referee::formats::SwissOptions{.rounds = 2};
    const auto players = start_all({"ada", "bob", "cyd", "dan"});
    room.pass(100ms);
    ASSERT_EQ(started.size(), 2U);
    EXPECT_THAT(waits(), ElementsAre(HasSubstr("the next round of t waits for 2 matches")));
    // In one of the matches, the bot that is to move loses its connection.
    const auto pairing = contest().open.back();
    ScriptedBot* mover = nullptr;
    for (const auto entrant : pairing.seats) {
        auto& player = *players[entrant];
        player.ready(player.last("start")["game_id"]);
    }
    room.pass(50ms);
    for (const auto entrant : pairing.seats) {
        if (!players[entrant]->last("turn").is_null()) mover = players[entrant];
    }
    ASSERT_NE(mover, nullptr);
    mover->link->close();
    room.pass(100ms);
    EXPECT_THAT(waits(),
                ElementsAre(HasSubstr("the next round of t waits"),
                            HasSubstr("to connect again, while its clock runs, 0:01 left")));
    EXPECT_THAT(waits().at(1), HasSubstr("game t/"));
}

TEST_F(SchedulerTest, nothing_waits_for_the_matches_of_the_last_round) {
    config.format.options = referee::formats::SwissOptions{.rounds = 1};
    start_all({"ada", "bob", "cyd", "dan"});
    room.pass(100ms);
    ASSERT_EQ(started.size(), 2U);
    EXPECT_THAT(waits(), IsEmpty());
}

TEST_F(SchedulerTest, a_ladder_says_who_plays_elsewhere) {
    stays = true;
    const auto [ada, bob] = start_duel();
    config.id = "practice";
    config.format.options = referee::formats::LadderOptions{};
    add_contest();
    play_on(50ms, {&ada, &bob});
    ASSERT_EQ(scheduler->games_running("t"), 1U);
    EXPECT_THAT(waits(), ElementsAre("practice waits for ada and bob, who play elsewhere"));
}

TEST_F(SchedulerTest, a_ladder_says_who_is_not_matched_for_having_left) {
    stays = true;
    config.format.options = referee::formats::LadderOptions{};
    config.rest = 0s;
    const auto [ada, bob] = start_duel();
    while (bob.heard("start").empty()) play_on(10ms, {&ada});
    bob.link->close();
    play_on(50ms, {&ada});
    EXPECT_THAT(waits(), Contains("t does not match bob, who left a match before the first "
                                  "turn, 0:05 left"));
}

TEST_F(SchedulerTest, a_full_disk_and_an_end_that_games_hold_up_are_told) {
    start_duel();
    journal.tell_trouble("disk full: make room");
    EXPECT_THAT(waits(), ElementsAre("no game begins: disk full: make room"));
    journal.tell_trouble("");
    scheduler->stop("SIGTERM", 90s);
    EXPECT_THAT(waits(), ElementsAre("the referee waits for the last game, then ends, 1:30 left"));
}

}  // namespace
}  // namespace tests::sim
