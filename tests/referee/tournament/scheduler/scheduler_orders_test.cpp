#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

TEST(Scheduler, a_full_disk_keeps_games_from_beginning_until_there_is_room) {
    SchedulerFixture hall;
    hall.config.match.games = 50;
    const auto [ada, bob] = hall.start_duel();
    hall.play_on(1s, {&ada, &bob});
    hall.journal.tell_trouble("disk full: make room");
    hall.play_on(2s, {&ada, &bob});
    EXPECT_EQ(hall.scheduler->store_trouble(), "disk full: make room");
    EXPECT_EQ(hall.scheduler->games_running(), 0U) << "what ran was played to its end";
    const auto begun = hall.started.size();
    hall.play_on(5s, {&ada, &bob});
    EXPECT_EQ(hall.started.size(), begun);
    hall.journal.tell_trouble("");
    hall.play_on(60s, {&ada, &bob});
    ASSERT_EQ(hall.ended(), SchedulerEnding::Kind::finished);
    EXPECT_EQ(hall.troubles, (std::vector<std::string>{"disk full: make room", ""}));
    EXPECT_EQ(hall.games_recorded().size(), 50U);
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

TEST(Scheduler, a_second_stop_is_at_once_and_draining_waits_for_games) {
    SchedulerFixture hall;
    const auto [ada, bob] = hall.start_duel();
    hall.scheduler->drain("drained");
    hall.room.pass(500ms);
    EXPECT_FALSE(hall.ending) << "a game runs";
    hall.scheduler->stop("once more", 0s);
    hall.scheduler->stop("once is enough", 0s);
    EXPECT_FALSE(hall.ending) << "it is recorded first";
    hall.room.pass(10ms);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.ending->message, "drained") << "why it ends is told once";
    EXPECT_EQ(hall.games_recorded()[0]->result.status, GameStatus::interrupted);
    EXPECT_EQ(ada.last("note")["code"], "interrupted");
    EXPECT_EQ(hall.matches, 0);
}

TEST(Scheduler, a_paused_tournament_begins_no_game_and_an_aborted_one_ends) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.config.match.games = 20;
    const auto [ada, bob] = hall.start_duel();
    hall.play_on(500ms, {&ada, &bob});
    hall.scheduler->orders().pause({"t", "lunch"}, hall.answered());
    hall.play_on(2s, {&ada, &bob});
    const auto begun = hall.started.size();
    hall.play_on(2s, {&ada, &bob});
    EXPECT_EQ(hall.started.size(), begun);
    hall.scheduler->orders().resume({"t", "fed"}, hall.answered());
    hall.play_on(500ms, {&ada, &bob});
    EXPECT_GT(hall.started.size(), begun);
    hall.scheduler->orders().abort({"t", "enough"}, hall.answered());
    hall.scheduler->orders().pause({"t", "no"}, hall.answered());
    hall.room.pass(100ms);
    EXPECT_THAT(hall.answers, ::testing::ElementsAre("done", "done", "t is aborted", "done"));
    EXPECT_EQ(hall.scheduler->games_running(), 0U);
    EXPECT_FALSE(hall.ending) << "a daemon stays";
    hall.scheduler->stop("SIGTERM", 1s);
    hall.room.pass(10ms);
    EXPECT_TRUE(hall.ending);
}

TEST(Scheduler, a_tournament_that_goes_on_for_one_game_is_told_as_running_and_waits_for_who_left) {
    SchedulerFixture hall;
    hall.stays = true;
    const auto [ada, bob] = hall.start_duel();
    hall.room.pass(10ms);
    ASSERT_EQ(hall.started.size(), 1U);
    bob.link->close();  // in the midst of the game: it is away since then
    hall.room.pass(10ms);
    hall.scheduler->left(hall.room.lobby->bot("bob"));
    hall.play_on(hall.config.no_show_after * 10, {&ada});
    ASSERT_THAT(hall.states, ::testing::ElementsAre(TournamentState::finished));
    hall.scheduler->orders().annul({"t", "a wrong map"}, {"t", 1, 1, 1}, hall.answered());
    hall.play_on(1s, {&ada});
    EXPECT_THAT(hall.states,
                ::testing::ElementsAre(TournamentState::finished, TournamentState::running));
    EXPECT_EQ(hall.started.size(), 1U) << "bob may still come back";
    auto& back = hall.room.log_in("bob");
    hall.play_on(2s, {&ada, &back});
    EXPECT_EQ(hall.started.size(), 2U);
    EXPECT_EQ(hall.contests_over, 2);
}

TEST(Scheduler, an_order_that_only_previews_is_answered_as_it_would_be_and_changes_nothing) {
    SchedulerFixture hall;
    hall.config.match.games = 20;
    const auto [ada, bob] = hall.start_duel();
    hall.play_on(500ms, {&ada, &bob});
    hall.room.pass(2ms);  // all is committed
    const auto recorded = hall.journal.committed().size();
    const auto before = hall.scheduler->contest("t").changes();
    auto& orders = hall.scheduler->orders();
    const referee::scheduler::OrderCall asked{"t", "lunch", true};
    orders.pause(asked, hall.answered());
    orders.abort(asked, hall.answered());
    orders.withdraw(asked, "bob", hall.answered());
    orders.rule(asked, 1, {{"ada"}, {"bob"}}, "the arbiter", hall.answered());
    orders.annul(asked, {"t", 1, 1, 1}, hall.answered());
    orders.resume(asked, hall.answered());
    hall.room.pass(2ms);
    EXPECT_THAT(hall.answers, ::testing::ElementsAre("done", "done", "done", "done", "done",
                                                     "t is running already"));
    EXPECT_EQ(hall.journal.committed().size(), recorded);
    EXPECT_EQ(hall.scheduler->contest("t").changes(), before);
    EXPECT_EQ(hall.scheduler->games_running(), 1U);
}

TEST(Scheduler, a_run_that_goes_on_plays_what_was_cut_off_again_and_nothing_twice) {
    std::vector<referee::records::Record> past;
    {
        SchedulerFixture hall;
        hall.config.match.games = 4;
        const auto [ada, bob] = hall.start_duel();
        while (hall.games_recorded().size() < 2) hall.play_on(10ms, {&ada, &bob});
        hall.room.pass(50ms);  // the third has begun
        past = hall.journal.committed();
    }
    SchedulerFixture hall;
    hall.config.match.games = 4;
    hall.past = past;
    const auto [ada, bob] = hall.start_duel();
    hall.play_on(60s, {&ada, &bob});
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(hall.ending->kind, SchedulerEnding::Kind::finished);
    ASSERT_EQ(hall.games_recorded().size(), 3U) << "the cut off one, again, and the fourth";
    EXPECT_EQ(hall.games_recorded()[0]->result.status, GameStatus::interrupted);
    EXPECT_THAT(hall.started, ::testing::ElementsAre("t/1.3~2", "t/1.4"));
}

// No game runs then: the end waits only for that record.
TEST(Scheduler, a_drain_while_a_draw_is_being_recorded_ends_all_the_same) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.start({"ada", "bob"});
    hall.room.log_in("ada");
    hall.room.log_in("bob");
    hall.scheduler->pump();
    ASSERT_EQ(hall.scheduler->games_running(), 0U);
    hall.scheduler->drain("enough");
    EXPECT_FALSE(hall.ending) << "the draw is recorded first";
    hall.room.pass(1s);
    ASSERT_EQ(hall.ended(), SchedulerEnding::Kind::stopped);
}

}  // namespace
}  // namespace tests::sim
