#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/find.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using ::testing::HasSubstr;

auto withdrawals_of(const SchedulerFixture& hall) {
    return hall.recorded_as<referee::records::WithdrawalRecord>();
}

std::size_t games_with(const SchedulerFixture& hall, const std::string& bot) {
    std::size_t games = 0;
    for (const auto* game : hall.games_recorded()) {
        const auto& bots = game->result.bots;
        if (base::contains(bots, bot)) ++games;
    }
    return games;
}

// Six bots in a Swiss; one of them never comes.
struct Field {
    explicit Field(SchedulerFixture& hall) {
        hall.config.format.options = referee::formats::SwissOptions{.rounds = 4};
        alive = hall.come({"ada", "bob", "cam", "dan", "eve"});
    }
    std::vector<ScriptedBot*> alive;
};

TEST(Absence, who_is_there_and_gives_no_valid_move_is_paired_no_more_and_is_told) {
    SchedulerFixture hall;
    hall.config.clock.budget = 100ms;
    Field field(hall);
    auto& mute = hall.room.log_in("mute");
    hall.start({"ada", "bob", "cam", "dan", "eve", "mute"});
    hall.play_on(120s, field.alive);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(games_with(hall, "mute"), 2U);
    ASSERT_EQ(withdrawals_of(hall).size(), 1U);
    EXPECT_EQ(mute.last("note")["code"], "withdrawn");
    EXPECT_THAT(mute.last("note")["message"].get<std::string>(), HasSubstr("no valid move"));
}

TEST(Absence, who_comes_back_is_paired_again_from_the_next_round_on) {
    SchedulerFixture hall;
    hall.config.no_show_after = 1s;
    Field field(hall);
    hall.start({"ada", "bob", "cam", "dan", "eve", "gone"});
    for (int i = 0; i < 400 && withdrawals_of(hall).empty(); ++i) hall.play_on(50ms, field.alive);
    ASSERT_EQ(withdrawals_of(hall).size(), 1U);
    auto& back = hall.room.log_in("gone");
    hall.scheduler->welcome_back(hall.room.lobby->bot("gone"));
    field.alive.push_back(&back);
    hall.room.pass(10ms);
    EXPECT_EQ(back.last("note")["code"], "admitted");
    EXPECT_EQ(hall.attendance, (std::vector<std::string>{"gone is out", "gone is in"}));
    hall.play_on(60s, field.alive);
    ASSERT_TRUE(hall.ending);
    EXPECT_GE(games_with(hall, "gone"), 3U);
    EXPECT_FALSE(hall.contest().is_withdrawn(5));
}

// Only their arrival can wake the scheduler in time: it would wait for them far longer.
TEST(Absence, games_that_wait_for_launched_bots_begin_when_these_arrive) {
    SchedulerFixture hall;
    hall.config.no_show_after = 60s;
    hall.launched = {"ada", "bob"};
    hall.start({"ada", "bob"});
    EXPECT_TRUE(hall.started.empty());
    for (const auto* name : {"ada", "bob"}) {
        hall.room.log_in(name);
        hall.scheduler->welcome_back(hall.room.lobby->bot(name));
    }
    hall.room.pass(100ms);
    EXPECT_EQ(hall.started.size(), 1U);
}

// It left a game, even before it was ready, and has not come back since: the next one waits for the
// rest of its time alone, and all others for nothing.
TEST(Absence, who_left_a_game_is_away_from_then_on) {
    for (const bool ready : {true, false}) {
        SchedulerFixture hall;
        hall.config.no_show_after = 20s;
        hall.config.format.options = referee::formats::RoundRobinOptions{.cycles = 2};
        hall.config.match.games = 2;
        const auto [ada, bob] = hall.start_duel();
        if (ready) hall.play_on(50ms, {&ada, &bob});
        bob.link->close();
        hall.room.pass(10ms);
        hall.scheduler->left(hall.room.lobby->bot("bob"));
        const auto left_at = hall.room.world.now();
        while (hall.games_recorded().empty()) hall.play_on(10ms, {&ada});
        ASSERT_GT(hall.room.world.now() - left_at, 1s) << "the first game went on without it";
        while (hall.games_recorded().size() < 4) hall.play_on(10ms, {&ada});
        EXPECT_LT(hall.room.world.now() - left_at, hall.config.no_show_after + 1s) << ready;
    }
}

TEST(Absence, a_new_bot_that_leaves_a_ladder_keeps_no_other_new_one_from_playing) {
    SchedulerFixture hall;
    hall.stays = true;
    hall.config.format.options = referee::formats::LadderOptions{};
    hall.config.rest = 0s;
    hall.config.match.games = 4;
    hall.config.no_show_after = 60s;
    const auto known = hall.come({"ada", "bob"});
    hall.start({"ada", "bob", "cam", "dan"});
    while (hall.matches == 0) hall.play_on(10ms, known);
    auto& cam = hall.room.log_in("cam");
    while (cam.heard("start").empty()) hall.play_on(10ms, known);
    hall.play_on(30ms, {known[0], known[1], &cam});
    cam.link->close();
    const auto& dan = hall.room.log_in("dan");
    hall.play_on(5s, known);
    EXPECT_FALSE(dan.heard("start").empty()) << "the match of cam merely waits";
}

// The list of matches is fixed: a bot that is withdrawn forfeits the rest at once, even if it is
// there.
TEST(Absence, in_a_round_robin_the_rest_is_forfeited_without_waiting) {
    SchedulerFixture hall;
    hall.config.clock.budget = 100ms;
    hall.config.format.options = referee::formats::RoundRobinOptions{.cycles = 2};
    auto players = hall.start_all({"ada", "bob", "cam", "mute"});
    players.pop_back();
    hall.play_on(120s, players);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(games_with(hall, "mute"), 6U);
    std::size_t absent = 0;
    for (const auto* game : hall.games_recorded()) {
        for (const auto& fault : game->result.faults) {
            if (fault.rule != "match.no_show") continue;
            ++absent;
            EXPECT_EQ(fault.message,
                      "mute is withdrawn from t: it gave no valid move in 2 matches in a row");
            EXPECT_THAT(game->result.reason, HasSubstr("mute is withdrawn from t"));
            EXPECT_THAT(game->result.reason, ::testing::Not(HasSubstr("did not show up")));
        }
    }
    EXPECT_EQ(absent, 4U);
}

}  // namespace
}  // namespace tests::sim
