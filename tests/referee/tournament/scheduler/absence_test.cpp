#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/find.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {
namespace {

using ::testing::HasSubstr;

class Absence : public SchedulerTest {
 protected:
    // Six bots in a Swiss, of which the last gives no move.
    void enter_swiss() {
        config.format.options = referee::formats::SwissOptions{.rounds = 4};
        alive = come({"ada", "bob", "cam", "dan", "eve"});
    }
    auto withdrawals() const { return recorded_as<referee::records::WithdrawalRecord>(); }
    auto games_with(const std::string& bot) const {
        return std::ranges::count_if(games_recorded(), [&bot](const auto* game) {
            return base::contains(game->result.bots, bot);
        });
    }
    std::vector<ScriptedBot*> alive;
};

TEST_F(Absence, who_is_there_and_gives_no_valid_move_is_paired_no_more_and_is_told) {
    config.clock.budget = 100ms;
    enter_swiss();
    auto& mute = room.log_in("mute");
    start({"ada", "bob", "cam", "dan", "eve", "mute"});
    play_on(120s, alive);
    ASSERT_TRUE(ending);
    EXPECT_EQ(games_with("mute"), 2);
    ASSERT_EQ(withdrawals().size(), 1U);
    EXPECT_EQ(mute.last("note")["code"], "withdrawn");
    EXPECT_THAT(mute.last("note")["message"].get<std::string>(), HasSubstr("no valid move"));
}

TEST_F(Absence, who_comes_back_is_paired_again_from_the_next_round_on) {
    config.no_show_after = 1s;
    enter_swiss();
    start({"ada", "bob", "cam", "dan", "eve", "gone"});
    for (int i = 0; i < 400 && withdrawals().empty(); ++i) play_on(50ms, alive);
    ASSERT_EQ(withdrawals().size(), 1U);
    auto& back = room.log_in("gone");
    scheduler->welcome_back(room.lobby->bot("gone"));
    alive.push_back(&back);
    room.pass(10ms);
    EXPECT_EQ(back.last("note")["code"], "admitted");
    EXPECT_EQ(attendance, (std::vector<std::string>{"gone is out", "gone is in"}));
    play_on(60s, alive);
    ASSERT_TRUE(ending);
    EXPECT_GE(games_with("gone"), 3);
    EXPECT_FALSE(contest().is_withdrawn(5));
}

// It left a game, even before it was ready, and has not come back since: the next one waits for the
// rest of its time alone, and all others for nothing.
TEST(AbsenceAfterAGame, who_left_a_game_is_away_from_then_on) {
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

TEST_F(Absence, a_new_bot_that_leaves_a_ladder_keeps_no_other_new_one_from_playing) {
    stays = true;
    config.format.options = referee::formats::LadderOptions{};
    config.rest = 0s;
    config.match.games = 4;
    config.no_show_after = 60s;
    const auto known = come({"ada", "bob"});
    start({"ada", "bob", "cam", "dan"});
    while (matches == 0) play_on(10ms, known);
    auto& cam = room.log_in("cam");
    while (cam.heard("start").empty()) play_on(10ms, known);
    play_on(30ms, {known[0], known[1], &cam});
    cam.link->close();
    const auto& dan = room.log_in("dan");
    play_on(5s, known);
    EXPECT_FALSE(dan.heard("start").empty()) << "the match of cam merely waits";
}

}  // namespace
}  // namespace tests::sim
