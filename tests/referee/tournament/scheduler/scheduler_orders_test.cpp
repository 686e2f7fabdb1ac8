#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

TEST_F(SchedulerTest, a_full_disk_keeps_games_from_beginning_until_there_is_room) {
    config.match.games = 50;
    const auto [ada, bob] = start_duel();
    play_on(1s, {&ada, &bob});
    journal.tell_trouble("disk full: make room");
    play_on(2s, {&ada, &bob});
    EXPECT_EQ(scheduler->store_trouble(), "disk full: make room");
    EXPECT_EQ(scheduler->games_running(), 0U) << "what ran was played to its end";
    const auto begun = started.size();
    play_on(5s, {&ada, &bob});
    EXPECT_EQ(started.size(), begun);
    journal.tell_trouble("");
    play_on(60s, {&ada, &bob});
    ASSERT_EQ(ended(), SchedulerEnding::Kind::finished);
    EXPECT_EQ(troubles, (std::vector<std::string>{"disk full: make room", ""}));
    EXPECT_EQ(games_recorded().size(), 50U);
}

TEST(Scheduler, asked_to_stop_it_leaves_games_the_grace_time) {
    for (const bool in_time : {true, false}) {
        SchedulerFixture hall;
        hall.config.match.games = 5;
        const auto [ada, bob] = hall.start_duel();
        hall.room.pass(10ms);
        hall.scheduler->stop("SIGTERM", 3s);
        EXPECT_FALSE(hall.ending);
        if (in_time) {
            hall.play_on(2s, {&ada, &bob});
        } else {
            hall.room.pass(2900ms);
            EXPECT_FALSE(hall.ending);
            hall.room.pass(200ms);
        }
        ASSERT_TRUE(hall.ending) << in_time;
        EXPECT_EQ(hall.ending->kind, SchedulerEnding::Kind::stopped);
        ASSERT_EQ(hall.games_recorded().size(), 1U) << "no other began";
        EXPECT_EQ(hall.games_recorded()[0]->result.status,
                  in_time ? GameStatus::played : GameStatus::interrupted);
    }
}

TEST_F(SchedulerTest, a_second_stop_is_at_once_and_draining_waits_for_games) {
    const auto [ada, bob] = start_duel();
    scheduler->drain("drained");
    room.pass(500ms);
    EXPECT_FALSE(ending) << "a game runs";
    scheduler->stop("once more", 0s);
    scheduler->stop("once is enough", 0s);
    EXPECT_FALSE(ending) << "it is recorded first";
    room.pass(10ms);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->message, "drained") << "why it ends is told once";
    EXPECT_EQ(games_recorded()[0]->result.status, GameStatus::interrupted);
    EXPECT_EQ(ada.last("note")["code"], "interrupted");
    EXPECT_EQ(matches, 0);
}

TEST_F(SchedulerTest,
       a_tournament_that_goes_on_for_one_game_is_told_as_running_and_waits_for_who_left) {
    stays = true;
    const auto [ada, bob] = start_duel();
    room.pass(10ms);
    ASSERT_EQ(started.size(), 1U);
    bob.link->close();  // in the midst of the game: it is away since then
    room.pass(10ms);
    scheduler->left(room.lobby->bot("bob"));
    play_on(config.no_show_after * 10, {&ada});
    ASSERT_THAT(states, ::testing::ElementsAre(TournamentState::finished));
    scheduler->orders().annul({"t", "a wrong map"}, {"t", 1, 1, 1}, answered());
    play_on(1s, {&ada});
    EXPECT_THAT(states,
                ::testing::ElementsAre(TournamentState::finished, TournamentState::running));
    EXPECT_EQ(started.size(), 1U) << "bob may still come back";
    auto& back = room.log_in("bob");
    play_on(2s, {&ada, &back});
    EXPECT_EQ(started.size(), 2U);
    EXPECT_EQ(contests_over, 2);
}

TEST_F(SchedulerTest, an_order_that_only_previews_is_answered_as_it_would_be_and_changes_nothing) {
    config.match.games = 20;
    const auto [ada, bob] = start_duel();
    play_on(500ms, {&ada, &bob});
    room.pass(2ms);  // all is committed
    const auto records = journal.committed().size();
    const auto before = scheduler->contest("t").changes();
    auto& orders = scheduler->orders();
    const referee::scheduler::OrderCall asked{"t", "lunch", true};
    orders.pause(asked, answered());
    orders.abort(asked, answered());
    orders.withdraw(asked, "bob", answered());
    orders.rule(asked, 1, {{"ada"}, {"bob"}}, "the arbiter", answered());
    orders.annul(asked, {"t", 1, 1, 1}, answered());
    orders.resume(asked, answered());
    orders.start_now(asked, answered());
    room.pass(2ms);
    EXPECT_THAT(answers, ::testing::ElementsAre("done", "done", "done", "done", "done",
                                                "t is running already",
                                                "t does not wait for bots to connect"));
    EXPECT_EQ(journal.committed().size(), records);
    EXPECT_EQ(scheduler->contest("t").changes(), before);
    EXPECT_EQ(scheduler->games_running(), 1U);
}

TEST_F(SchedulerTest, an_order_to_start_now_goes_on_without_who_is_missing) {
    join_within = 600s;
    come({"ada", "bob"});
    start({"ada", "bob", "eve"});
    scheduler->orders().start_now({"t"}, answered());
    room.pass(100ms);
    EXPECT_FALSE(started.empty());
}

// No game runs then: the end waits only for that record.
TEST_F(SchedulerTest, a_drain_while_a_draw_is_being_recorded_ends_all_the_same) {
    stays = true;
    start({"ada", "bob"});
    room.log_in("ada");
    room.log_in("bob");
    scheduler->pump();
    ASSERT_EQ(scheduler->games_running(), 0U);
    scheduler->drain("enough");
    EXPECT_FALSE(ending) << "the draw is recorded first";
    room.pass(1s);
    ASSERT_EQ(ended(), SchedulerEnding::Kind::stopped);
}

}  // namespace
}  // namespace tests::sim
