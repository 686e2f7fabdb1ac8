#include "referee/run/bot_times.h"

#include <gtest/gtest.h>

namespace referee::run {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

constexpr Instant begin_of_times = Instant{} + 1h;

GameResult thought(const std::string& bot, std::int64_t us, GameStatus status) {
    GameResult result;
    result.bots = {"other", bot};
    result.used_us = {us, us};
    result.status = status;
    return result;
}

TEST(BotTimesTest, ItsOwnThinkingIsSummedOverRunsAndGamesThatCount) {
    BotTimes times({{"ann", {10s, 1h, 4s}}});
    times.game_ended(thought("ann", 5'000'000, GameStatus::annulled), begin_of_times);
    times.game_ended(thought("ann", 5'000'000, GameStatus::played), begin_of_times);
    EXPECT_FALSE(times.is_over("ann", begin_of_times));
    times.game_ended(thought("ann", 1'000'000, GameStatus::forfeited), begin_of_times);
    EXPECT_TRUE(times.is_over("ann", begin_of_times));
}

TEST(BotTimesTest, AllTimeOfItsGamesCountsAndNoneBetweenThem) {
    BotTimes times({{"ann", {1h, 10s, 0s}}, {"bob", {1h, 10s, 0s}}});
    EXPECT_EQ(times.over(begin_of_times), Names{});
    times.game_began({"ann", "other"}, begin_of_times);
    times.game_ended(thought("ann", 1, GameStatus::played), begin_of_times + 2s);
    EXPECT_EQ(times.over(begin_of_times + 20min), Names{}) << "others were playing";
    times.game_began({"other", "ann"}, begin_of_times + 20min);
    EXPECT_EQ(times.over(begin_of_times + 20min + 7s), Names{});
    EXPECT_EQ(times.over(begin_of_times + 20min + 8s), Names{"ann"});
    EXPECT_EQ(times.spans().at("ann"), 2s);
    times.game_ended(thought("ann", 1, GameStatus::annulled), begin_of_times + 20min + 9s);
    EXPECT_EQ(times.over(begin_of_times + 1h), Names{"ann"});
    EXPECT_FALSE(times.spans().contains("bob"));
}

TEST(BotTimesTest, ABotWithoutALimitIsNeverOver) {
    BotTimes times({});
    times.game_began({"ann"}, begin_of_times);
    times.game_ended(thought("ann", 1'000'000'000, GameStatus::played), begin_of_times);
    EXPECT_FALSE(times.is_over("ann", begin_of_times + 100h));
}

// A game of two seats that took 20 turns, with a fault of bot "ann" in one of them.
GameResult with_fault(FaultCode code, std::int64_t turn, bool answered) {
    auto result = thought("ann", 1, GameStatus::played);
    result.turns = 20;
    Fault fault{.code = code, .seat = 1, .turn = turn};
    if (answered) fault.evidence.received_us = 1;
    result.faults.push_back(fault);
    return result;
}

TEST(EndedUnanswered, IsAGameWhoseLastTurnOfTheBotHadNoAnswerInTime) {
    EXPECT_FALSE(ended_unanswered(thought("ann", 1, GameStatus::played), "ann"));
    EXPECT_TRUE(ended_unanswered(with_fault(FaultCode::late, 20, false), "ann"));
    EXPECT_TRUE(ended_unanswered(with_fault(FaultCode::over_budget, 21, false), "ann"))
        << "the turn that ended the game was not carried out";
    EXPECT_TRUE(ended_unanswered(with_fault(FaultCode::hung, 19, false), "ann"))
        << "the other one had the last turn";
    EXPECT_FALSE(ended_unanswered(with_fault(FaultCode::late, 18, false), "ann"))
        << "it answered after that";
    EXPECT_FALSE(ended_unanswered(with_fault(FaultCode::late, 20, true), "ann")) << "too late";
    EXPECT_FALSE(ended_unanswered(with_fault(FaultCode::crashed, 20, false), "ann"));
    EXPECT_FALSE(ended_unanswered(with_fault(FaultCode::late, 20, false), "other"));
}

}  // namespace
}  // namespace referee::run
