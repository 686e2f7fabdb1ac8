#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/check_bot/corners.h"

namespace referee::check_bot {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// So many answers that took so long, without a budget of their own.
std::vector<BotObservations::Answer> answers(std::size_t count, Duration took) {
    return std::vector<BotObservations::Answer>(count, {"light_cycles", took, {}, false});
}

CornerFinding judged(std::vector<BotObservations::Answer> answers) {
    const engines::Registry registry;
    return judged_times(registry.find("light_cycles")->info(), std::move(answers));
}

TEST(ExamTimes, AMeanOverTheLimitOfTheRulesIsWrong) {
    EXPECT_EQ(judged(answers(10, milliseconds(50))).verdict, Verdict::good);
    auto over = answers(9, milliseconds(50));
    over.push_back(answers(1, milliseconds(51)).front());
    const auto finding = judged(over);
    EXPECT_EQ(finding.verdict, Verdict::wrong);
    EXPECT_THAT(finding.seen, HasSubstr("mean 50.100 ms"));
    EXPECT_THAT(finding.expected, HasSubstr("a mean of 50.000 ms a turn at most"));
    EXPECT_THAT(finding.advice, HasSubstr("less than 50.000 ms"));
}

TEST(ExamTimes, OneLongTurnIsNoneWhereTheMeanIsLow) {
    auto all = answers(99, milliseconds(1));
    all.push_back(answers(1, milliseconds(900)).front());
    EXPECT_EQ(judged(all).verdict, Verdict::good);
}

TEST(ExamTimes, ALateAnswerIsWrong) {
    auto all = answers(3, milliseconds(1));
    all.front().late = true;
    EXPECT_EQ(judged(all).verdict, Verdict::wrong);
    EXPECT_THAT(judged(all).seen, HasSubstr("1 of 3 turns were late"));
}

}  // namespace
}  // namespace referee::check_bot
