#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/scheduler/hall.h"

namespace tests::sim {
namespace {

using ::testing::HasSubstr;

std::vector<const referee::journal::WithdrawalRecord*> withdrawals_of(const Hall& hall) {
    std::vector<const referee::journal::WithdrawalRecord*> found;
    for (const auto& record : hall.journal.committed()) {
        if (const auto* one = std::get_if<referee::journal::WithdrawalRecord>(&record))
            found.push_back(one);
    }
    return found;
}

std::size_t games_with(const Hall& hall, const std::string& bot) {
    std::size_t games = 0;
    for (const auto* game : hall.games_recorded()) {
        const auto& bots = game->result.bots;
        if (std::find(bots.begin(), bots.end(), bot) != bots.end()) ++games;
    }
    return games;
}

// Six bots at a Swiss, one of which is played by nobody.
struct Field {
    explicit Field(Hall& hall) {
        hall.config.format.kind = referee::tournament::FormatKind::swiss;
        hall.config.format.rounds = 4;
        for (const auto* name : {"ada", "bob", "cam", "dan", "eve"})
            alive.push_back(&hall.room.log_in(name));
    }
    std::vector<ScriptedBot*> alive;
};

TEST(Absence, who_does_not_show_up_twice_is_paired_no_more) {
    Hall hall;
    Field field(hall);
    hall.start({"ada", "bob", "cam", "dan", "eve", "gone"});
    hall.play_on(60s, field.alive);
    ASSERT_TRUE(hall.ending);
    EXPECT_EQ(games_with(hall, "gone"), 2U);
    ASSERT_EQ(withdrawals_of(hall).size(), 1U);
    EXPECT_EQ(withdrawals_of(hall)[0]->bot, "gone");
    EXPECT_EQ(withdrawals_of(hall)[0]->round, 3U);
    EXPECT_THAT(withdrawals_of(hall)[0]->reason, HasSubstr("2 matches in a row"));
    EXPECT_EQ(hall.scheduler->contests()[0]->round(), 4U);
}

TEST(Absence, who_is_there_and_gives_no_valid_move_is_paired_no_more_and_is_told) {
    Hall hall;
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

}  // namespace
}  // namespace tests::sim
