#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

using ::testing::HasSubstr;

TEST_F(SchedulerTest, strangers_have_a_small_share_of_the_loop_only_while_somebody_plays) {
    const auto has_to_wait = [this] {
        auto piece = room.lobby->strangers_time().begin("a flood");
        room.world.spend(200ms);
        piece.end();
        return room.lobby->strangers_time().wait() > 1s;
    };
    auto& ada = room.log_in("ada");
    start({"ada", "bob"});
    EXPECT_FALSE(has_to_wait());
    auto& bob = room.log_in("bob");
    play_on(200ms, {&ada, &bob});
    ASSERT_EQ(started.size(), 1U);
    EXPECT_TRUE(has_to_wait());
    play_on(60s, {&ada, &bob});
    ASSERT_TRUE(ending);
}

TEST(Scheduler, a_gauntlet_that_ends_when_it_is_decided_draws_no_more_than_can_begin) {
    for (const bool sprt : {false, true}) {
        SchedulerFixture hall;
        auto& ada = hall.room.log_in("ada", {}, {{"parallel", 2}});
        auto& bob = hall.room.log_in("bob", {}, {{"parallel", 2}});
        auto& gauntlet = hall.config.format.options.emplace<referee::formats::GauntletOptions>();
        gauntlet.cycles = 100;
        if (sprt) gauntlet.sprt.emplace();
        hall.start({"ada", "bob"});
        hall.play_on(2s, {&ada, &bob});
        EXPECT_GE(hall.started.size(), 2U) << "both places are used";
        const auto waiting = hall.scheduler->contest("t").waiting().size();
        EXPECT_EQ(waiting <= 2, sprt) << waiting;
    }
}

TEST_F(SchedulerTest, a_ladder_plays_in_what_other_tournaments_leave) {
    config.format.options = referee::formats::LadderOptions{};
    config.rest = 0s;
    games_at_once = 2;
    const auto players = start_all({"ada", "bob", "cleo", "dan"});
    play_on(20s, players);
    const auto before = started.size();
    ASSERT_GT(before, 4U);
    config.id = "friday";
    config.format.options = referee::formats::RoundRobinOptions{};
    config.match.games = 8;
    add_contest();
    while (contests_over == 0 && started.size() < before + 100) play_on(100ms, players);
    std::size_t of_friday = 0;
    for (auto game = started.begin() + static_cast<std::ptrdiff_t>(before); of_friday < 48;
         ++game) {
        ASSERT_NE(game, started.end()) << of_friday << " games of friday";
        of_friday += game->starts_with("friday/") ? 1 : 0;
        const auto of_ladder =
            static_cast<std::size_t>(game + 1 - started.begin()) - before - of_friday;
        ASSERT_LE(of_ladder, 8U) << "behind " << of_friday << " games of friday";
    }
    play_on(20s, players);
    EXPECT_THAT(started.back(), ::testing::StartsWith("t/")) << "the ladder goes on";
}

TEST_F(SchedulerTest, an_absence_is_forgotten_when_the_bot_was_there_meanwhile) {
    games_at_once = 1;
    config.match.games = 2;
    auto& ada = room.log_in("ada");
    start({"ada", "bob"});
    room.pass(5s);  // bob is being waited for by now
    auto& bob = room.log_in("bob");
    play_on(100ms, {&ada, &bob});
    ASSERT_EQ(started.size(), 1U);
    bob.link->close();
    while (games_recorded().empty()) play_on(10ms, {&ada});
    play_on(4s, {&ada});
    EXPECT_EQ(games_recorded().size(), 1U) << "the next game waits its own five seconds";
}

TEST(Scheduler, stopped_beside_a_disk_that_takes_nothing_it_ends_all_the_same) {
    for (const Duration grace : {0s, 3s}) {
        SchedulerFixture hall;
        const auto [ada, bob] = hall.start_duel();
        hall.play_on(100ms, {&ada, &bob});
        hall.journal.power_off();
        hall.scheduler->stop("SIGTERM", grace);
        hall.room.pass(grace + 1s);
        EXPECT_FALSE(hall.ending) << "a slow disk has its time";
        hall.room.pass(1100ms);
        ASSERT_EQ(hall.ended(), SchedulerEnding::Kind::not_recorded);
        EXPECT_THAT(hall.ending->message, HasSubstr("not written down yet"));
    }
}

TEST_F(SchedulerTest, a_commit_that_comes_after_it_is_gone_hurts_nobody) {
    start({"ada", "bob"});
    scheduler->stop("at once", 0s);
    scheduler.reset();
    room.pass(1s);
}

}  // namespace
}  // namespace tests::sim
