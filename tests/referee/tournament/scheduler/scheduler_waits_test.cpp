#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Told = std::vector<std::string>;

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

TEST(ScheduledWaits, a_round_waits_for_the_matches_of_the_one_before) {
    for (const std::uint32_t rounds : {1U, 2U}) {
        ScheduledRoom room;
        room.config.format.options = referee::formats::SwissOptions{.rounds = rounds};
        room.open({"ada", "bob", "cyd", "dan"});
        room.draw();
        room.log_in({"ada", "bob", "cyd", "dan"});
        for (int match = 0; match < 2; ++match) room.sit();
        const auto told_now =
            told(waits_of([&room](auto& found) { room.scheduled->add_waits(found); }), room.now());
        ASSERT_EQ(told_now.size(), rounds - 1);
        if (rounds > 1) {
            EXPECT_THAT(told_now[0], HasSubstr("the next round of t waits for 2 matches"));
        }
    }
}

TEST_F(SchedulerTest, a_full_disk_and_an_end_that_games_hold_up_are_told) {
    start_duel();
    journal.tell_trouble("disk full: make room");
    EXPECT_THAT(waits(), ElementsAre("no game begins: disk full: make room"));
    room.pass(1s);
    ASSERT_EQ(waits_told.size(), 1U);
    EXPECT_EQ(waits_told[0].at(0).kind, Wait::Kind::for_disk);
    journal.tell_trouble("");
    scheduler->stop("SIGTERM", 90s);
    EXPECT_THAT(waits(), ElementsAre("the referee waits for the last game, then ends, 1:30 left"));
}

}  // namespace
}  // namespace tests::sim
