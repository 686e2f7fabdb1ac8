#include "referee/office/run/bot_times.h"

#include <gtest/gtest.h>

namespace referee::run {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

constexpr Instant noon = Instant{} + 1h;

GameResult thought(const std::string& bot, std::int64_t us, GameStatus status) {
    GameResult result;
    result.bots = {"other", bot};
    result.used_us = {us, us};
    result.status = status;
    return result;
}

TEST(BotTimesTest, ItsOwnThinkingIsSummedOverRunsAndGamesThatCount) {
    BotTimes times({{"ann", {10s, 1h, 4s}}});
    times.game_ended(thought("ann", 5'000'000, GameStatus::annulled), noon);
    times.game_ended(thought("ann", 5'000'000, GameStatus::played), noon);
    EXPECT_FALSE(times.is_over("ann", noon));
    times.game_ended(thought("ann", 1'000'000, GameStatus::forfeited), noon);
    EXPECT_TRUE(times.is_over("ann", noon));
}

TEST(BotTimesTest, AllTimeOfItsGamesCountsAndNoneBetweenThem) {
    BotTimes times({{"ann", {1h, 10s, 0s}}, {"bob", {1h, 10s, 0s}}});
    EXPECT_EQ(times.over(noon), Names{});
    times.game_began({"ann", "other"}, noon);
    times.game_ended(thought("ann", 1, GameStatus::played), noon + 2s);
    EXPECT_EQ(times.over(noon + 20min), Names{}) << "others were playing";
    times.game_began({"other", "ann"}, noon + 20min);
    EXPECT_EQ(times.over(noon + 20min + 7s), Names{});
    EXPECT_EQ(times.over(noon + 20min + 8s), Names{"ann"});
    EXPECT_EQ(times.spans().at("ann"), 2s);
    times.game_ended(thought("ann", 1, GameStatus::annulled), noon + 20min + 9s);
    EXPECT_EQ(times.over(noon + 1h), Names{"ann"});
    EXPECT_FALSE(times.spans().contains("bob"));
}

TEST(BotTimesTest, ABotWithoutALimitIsNeverOver) {
    BotTimes times({});
    times.game_began({"ann"}, noon);
    times.game_ended(thought("ann", 1'000'000'000, GameStatus::played), noon);
    EXPECT_FALSE(times.is_over("ann", noon + 100h));
}

}  // namespace
}  // namespace referee::run
