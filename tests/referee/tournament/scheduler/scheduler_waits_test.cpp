#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SchedulerWaiting, a_tournament_says_for_whom_its_first_games_wait_and_how_long_yet) {
    SchedulerFixture hall;
    hall.join_within = 600s;
    hall.room.log_in("ada");
    hall.start({"ada", "bob", "eve"});
    hall.room.pass(19s);
    EXPECT_THAT(hall.waits(), ElementsAre("t waits for bob and eve to connect, 9:41 left"));
    hall.room.log_in("bob");
    hall.scheduler->pump();
    EXPECT_THAT(hall.waits(), ElementsAre(HasSubstr("t waits for eve to connect")));
    // It is told when the wait begins and when a bot has come, not each second.
    hall.room.pass(30s);
    ASSERT_EQ(hall.waits_told.size(), 2U);
    EXPECT_THAT(hall.waits_told[0].at(0).bots, ElementsAre("bob", "eve"));
    EXPECT_THAT(hall.waits_told[1].at(0).bots, ElementsAre("eve"));
    hall.room.pass(600s);
    EXPECT_THAT(hall.waits(), ::testing::Not(::testing::Contains(HasSubstr("to connect"))));
}

TEST(SchedulerWaiting, an_order_to_start_now_goes_on_without_who_is_missing) {
    SchedulerFixture hall;
    hall.join_within = 600s;
    auto& ada = hall.room.log_in("ada");
    auto& bob = hall.room.log_in("bob");
    hall.start({"ada", "bob", "eve"});
    hall.play_on(1s, {&ada, &bob});
    EXPECT_THAT(hall.started, IsEmpty());
    hall.scheduler->orders().start_now({"t"}, hall.answered());
    hall.room.pass(100ms);
    EXPECT_FALSE(hall.started.empty());
    hall.play_on(2s, {&ada, &bob});
    EXPECT_THAT(hall.waits(), ElementsAre("2 games of t wait for eve, who is away, 0:03 left; then "
                                          "they are forfeited"));
    hall.scheduler->orders().start_now({"t"}, hall.answered());
    EXPECT_THAT(hall.answers, ElementsAre("done", "t does not wait for bots to connect"));
    hall.play_on(60s, {&ada, &bob});
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.games_recorded().size(), 3U);
}

TEST(SchedulerWaiting, a_pause_is_no_time_in_which_a_bot_was_to_come) {
    for (const bool aborted : {false, true}) {
        SchedulerFixture hall;
        hall.stays = true;
        auto& ada = hall.room.log_in("ada");
        hall.start({"ada", "bob"});
        hall.room.pass(3s);  // 2 s for all, and 1 of 5 for bob's game
        if (aborted) {
            hall.scheduler->orders().abort({"t", "no network"}, hall.answered());
        } else {
            hall.scheduler->orders().pause({"t", "no network"}, hall.answered());
        }
        hall.room.pass(60s);
        if (!aborted) {
            EXPECT_THAT(hall.waits(), ElementsAre("t is paused (no network)"));
        }
        hall.scheduler->orders().resume({"t", "it is back"}, hall.answered());
        hall.room.pass(4s);
        EXPECT_THAT(hall.games_recorded(), IsEmpty()) << "bob has its 5 s again";
        auto& bob = hall.room.log_in("bob");
        hall.play_on(30s, {&ada, &bob});
        EXPECT_EQ(hall.contest().state, TournamentState::finished);
        EXPECT_EQ(hall.games_recorded().at(0)->result.status, GameStatus::played);
        EXPECT_THAT(hall.answers, ElementsAre("done", "done"));
    }
}

TEST(SchedulerWaiting, an_abort_can_be_undone_and_nothing_is_lost_but_the_games_that_ran) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.config.match.games = 4;
    const auto [ada, bob] = hall.start_duel();
    while (hall.games_recorded().size() < 2) hall.play_on(10ms, {&ada, &bob});
    hall.room.pass(50ms);  // the third has begun
    hall.scheduler->orders().abort({"t", "a slip"}, hall.answered());
    hall.play_on(5s, {&ada, &bob});
    EXPECT_EQ(hall.started.size(), 3U);
    EXPECT_EQ(hall.contest().state, TournamentState::aborted);
    EXPECT_THAT(hall.waits(), IsEmpty());
    hall.scheduler->orders().resume({"t", "sorry"}, hall.answered());
    hall.play_on(60s, {&ada, &bob});
    EXPECT_EQ(hall.contest().state, TournamentState::finished);
    EXPECT_THAT(hall.started, ElementsAre("t/1.1", "t/1.2", "t/1.3", "t/1.3~2", "t/1.4"));
    EXPECT_EQ(hall.contest().games_played, 4U);
    hall.scheduler->orders().resume({"t", "once more"}, hall.answered());
    EXPECT_THAT(hall.answers, ElementsAre("done", "done", "t is finished"));
    const auto again = hall.recorded();
    EXPECT_EQ(again->state(), TournamentState::finished);
    EXPECT_EQ(again->results().at(1).points, hall.contest().results.at(1).points);
}

TEST(SchedulerWaiting, a_tournament_that_had_not_begun_waits_for_the_order_after_an_abort_too) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.begins = false;
    hall.room.log_in("ada");
    hall.start({"ada", "bob"});
    EXPECT_THAT(hall.waits(), ElementsAre("t waits for the order to begin"));
    hall.scheduler->orders().abort({"t", "a slip"}, hall.answered());
    hall.room.pass(100ms);
    EXPECT_THAT(hall.waits(), IsEmpty());
    hall.scheduler->orders().resume({"t", "sorry"}, hall.answered());
    hall.room.pass(100ms);
    EXPECT_THAT(hall.answers, ElementsAre("done", "done"));
    EXPECT_THAT(hall.waits(), ElementsAre("t waits for the order to begin"));
}

TEST(SchedulerWaiting, a_round_waits_for_its_last_matches_and_a_game_for_a_lost_connection) {
    SchedulerFixture hall;
    hall.config.format.options = referee::formats::SwissOptions{.rounds = 2};
    const auto players = hall.start_all({"ada", "bob", "cyd", "dan"});
    hall.room.pass(100ms);
    ASSERT_EQ(hall.started.size(), 2U);
    EXPECT_THAT(hall.waits(), ElementsAre(HasSubstr("the next round of t waits for 2 matches")));
    // In one of the matches, the bot that is to move loses its connection.
    const auto pairing = hall.contest().open.back();
    ScriptedBot* mover = nullptr;
    for (const auto entrant : pairing.seats) {
        auto& player = *players[entrant];
        player.ready(player.last("start")["game_id"]);
    }
    hall.room.pass(50ms);
    for (const auto entrant : pairing.seats) {
        if (!players[entrant]->last("turn").is_null()) mover = players[entrant];
    }
    ASSERT_NE(mover, nullptr);
    mover->link->close();
    hall.room.pass(100ms);
    EXPECT_THAT(hall.waits(),
                ElementsAre(HasSubstr("the next round of t waits"),
                            HasSubstr("to connect again, while its clock runs, 0:01 left")));
    EXPECT_THAT(hall.waits().at(1), HasSubstr("game t/"));
}

TEST(SchedulerWaiting, nothing_waits_for_the_matches_of_the_last_round) {
    SchedulerFixture hall;
    hall.config.format.options = referee::formats::SwissOptions{.rounds = 1};
    hall.start_all({"ada", "bob", "cyd", "dan"});
    hall.room.pass(100ms);
    ASSERT_EQ(hall.started.size(), 2U);
    EXPECT_THAT(hall.waits(), IsEmpty());
}

TEST(SchedulerWaiting, a_ladder_says_who_plays_elsewhere) {
    SchedulerFixture hall;
    hall.stays = true;
    const auto [ada, bob] = hall.start_duel();
    hall.config.id = "practice";
    hall.config.format.options = referee::formats::LadderOptions{};
    hall.add_contest();
    hall.play_on(50ms, {&ada, &bob});
    ASSERT_EQ(hall.scheduler->games_running("t"), 1U);
    EXPECT_THAT(hall.waits(), ElementsAre("practice waits for ada and bob, who play elsewhere"));
}

TEST(SchedulerWaiting, a_ladder_says_who_is_not_matched_for_having_left) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.config.format.options = referee::formats::LadderOptions{};
    hall.config.rest = 0s;
    const auto [ada, bob] = hall.start_duel();
    while (bob.heard("start").empty()) hall.play_on(10ms, {&ada});
    bob.link->close();
    hall.play_on(50ms, {&ada});
    EXPECT_THAT(hall.waits(), Contains("t does not match bob, who left a match before the first "
                                       "turn, 0:05 left"));
}

TEST(SchedulerWaiting, a_full_disk_and_an_end_that_games_hold_up_are_told) {
    SchedulerFixture hall;
    hall.start_duel();
    hall.journal.tell_trouble("disk full: make room");
    EXPECT_THAT(hall.waits(), ElementsAre("no game begins: disk full: make room"));
    hall.journal.tell_trouble("");
    hall.scheduler->stop("SIGTERM", 90s);
    EXPECT_THAT(hall.waits(),
                ElementsAre("the referee waits for the last game, then ends, 1:30 left"));
}

}  // namespace
}  // namespace tests::sim
