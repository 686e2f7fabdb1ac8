#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

#include <gmock/gmock.h>

namespace tests::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Scheduler, plays_everything_once_and_records_it_before_the_end) {
    SchedulerFixture hall;
    hall.config.match.games = 2;
    hall.play_on(60s, hall.start_all({"ada", "bob", "eve"}));
    ASSERT_EQ(hall.ended(), SchedulerEnding::Kind::finished);
    EXPECT_EQ(hall.games_recorded().size(), 6U);
    EXPECT_EQ(hall.matches, 3);
    EXPECT_EQ(hall.contests_over, 1);
    const auto* state =
        std::get_if<referee::records::StateRecord>(&hall.journal.committed().back());
    ASSERT_NE(state, nullptr);
    EXPECT_EQ(state->state, referee::records::TournamentState::finished);
}

TEST(Scheduler, strangers_have_a_small_share_of_the_loop_only_while_somebody_plays) {
    SchedulerFixture hall;
    const auto has_to_wait = [&hall] {
        auto piece = hall.room.lobby->strangers_time().begin("a flood");
        hall.room.world.spend(200ms);
        piece.end();
        return hall.room.lobby->strangers_time().wait() > 1s;
    };
    auto& ada = hall.room.log_in("ada");
    hall.start({"ada", "bob"});
    EXPECT_FALSE(has_to_wait());
    auto& bob = hall.room.log_in("bob");
    hall.play_on(200ms, {&ada, &bob});
    ASSERT_EQ(hall.started.size(), 1U);
    EXPECT_TRUE(has_to_wait());
    hall.play_on(60s, {&ada, &bob});
    ASSERT_TRUE(hall.ending);
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

TEST(Scheduler, a_ladder_plays_in_what_other_tournaments_leave) {
    SchedulerFixture hall;
    hall.config.format.options = referee::formats::LadderOptions{};
    hall.config.rest = 0s;
    hall.games_at_once = 2;
    const auto players = hall.start_all({"ada", "bob", "cleo", "dan"});
    hall.play_on(20s, players);
    const auto before = hall.started.size();
    ASSERT_GT(before, 4U);
    hall.config.id = "friday";
    hall.config.format.options = referee::formats::RoundRobinOptions{};
    hall.config.match.games = 8;
    hall.add_contest();
    while (hall.contests_over == 0 && hall.started.size() < before + 100)
        hall.play_on(100ms, players);
    std::size_t of_friday = 0;
    for (auto game = hall.started.begin() + static_cast<std::ptrdiff_t>(before); of_friday < 48;
         ++game) {
        ASSERT_NE(game, hall.started.end()) << of_friday << " games of friday";
        of_friday += game->starts_with("friday/") ? 1 : 0;
        const auto of_ladder =
            static_cast<std::size_t>(game + 1 - hall.started.begin()) - before - of_friday;
        ASSERT_LE(of_ladder, 8U) << "behind " << of_friday << " games of friday";
    }
    hall.play_on(20s, players);
    EXPECT_THAT(hall.started.back(), ::testing::StartsWith("t/")) << "the ladder goes on";
}

TEST(Scheduler, an_absence_is_forgotten_when_the_bot_was_there_meanwhile) {
    SchedulerFixture hall;
    hall.games_at_once = 1;
    hall.config.match.games = 2;
    auto& ada = hall.room.log_in("ada");
    hall.start({"ada", "bob"});
    hall.room.pass(5s);  // bob is being waited for by now
    auto& bob = hall.room.log_in("bob");
    hall.play_on(100ms, {&ada, &bob});
    ASSERT_EQ(hall.started.size(), 1U);
    bob.link->close();
    hall.play_on(1500ms, {&ada});
    // Its game goes on without it; the next one waits its own five seconds.
    for (const auto* game : hall.games_recorded()) {
        for (const auto& fault : game->result.faults) EXPECT_NE(fault.rule, "match.no_show");
    }
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

TEST(Scheduler, a_disk_that_is_full_ends_it) {
    SchedulerFixture hall(2);
    const auto [ada, bob] = hall.start_duel();
    hall.play_on(60s, {&ada, &bob});
    ASSERT_EQ(hall.ended(), SchedulerEnding::Kind::not_recorded);
    EXPECT_THAT(hall.games_recorded(), IsEmpty());
    EXPECT_THAT(ada.heard("end"), IsEmpty());  // what is not recorded is not told
}

TEST(Scheduler, a_commit_that_comes_after_it_is_gone_hurts_nobody) {
    SchedulerFixture hall;
    hall.start({"ada", "bob"});
    hall.scheduler->stop("at once", 0s);
    hall.scheduler.reset();
    hall.room.pass(1s);
}

// Two of the house's, for which there is one core, keep nobody else from playing.
TEST(Scheduler, AsManyGamesOfLaunchedBotsAsAllowedAndAllOthersBeside) {
    SchedulerFixture hall;
    hall.launched_games_at_once = 1;
    hall.launched = {"house1", "house2"};
    const auto players = hall.start_all({"house1", "ada", "house2", "bob", "cleo", "dan"});
    std::size_t most = 0;
    for (int i = 0; i < 200 && !hall.ending; ++i) {
        hall.play_on(20ms, players);
        most = std::max(most, hall.scheduler->games_running());
        std::set<const void*> of_house;
        for (const auto* name : {"house1", "house2"})
            for (const auto& place : hall.room.lobby->bot(name).places())
                of_house.insert(place.game);
        ASSERT_LE(of_house.size(), 1U);
    }
    EXPECT_GE(most, 2U);
    EXPECT_TRUE(hall.ending) << "all is played";
}

TEST(Scheduler, no_more_games_at_once_than_allowed) {
    SchedulerFixture hall;
    hall.games_at_once = 2;
    std::vector<ScriptedBot*> players;
    std::vector<std::string> names;
    for (int i = 0; i < 6; ++i) {
        names.push_back("bot" + std::to_string(i));
        players.push_back(&hall.room.log_in(names.back(), {}, {{"parallel", 5}}));
    }
    hall.start(names);
    for (int i = 0; i < 100; ++i) {
        EXPECT_LE(hall.scheduler->games_running(), 2U);
        hall.play_on(20ms, players);
    }
    EXPECT_GT(hall.games_recorded().size(), 0U);
}

}  // namespace
}  // namespace tests::sim
