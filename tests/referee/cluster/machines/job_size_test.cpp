#include "referee/cluster/machines/job_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/read_config.h"

namespace referee::machines {
namespace {

using namespace std::chrono_literals;

std::deque<scheduler::MatchTask> waiting(std::size_t count) {
    std::deque<scheduler::MatchTask> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i].games.push_back({.key = {"t", i + 1, 1, 1}, .bots = {}});
    return all;
}

// After so many jobs as large as it says, of matches that take so long.
Batching learnt(std::size_t jobs, Duration a_match) {
    Batching batching(1);
    for (std::size_t i = 0; i < jobs; ++i) {
        const auto matches = batching.matches_of("t");
        batching.learn(std::vector<std::string>(matches, "t"), a_match * matches);
    }
    return batching;
}

TEST(BatchingTest, AJobIsSmallAtFirstAndComesToTakeMinutes) {
    EXPECT_EQ(Batching(4).next(waiting(1000), 2, 2), 4U);
    EXPECT_EQ(learnt(1, 1ms).matches_of("t"), growth_most) << "no much larger one was measured";
    EXPECT_EQ(learnt(20, 2s).next(waiting(1000), 1, 1), 90U) << "three minutes";
    EXPECT_EQ(learnt(1, 2h).matches_of("t"), 1U) << "a match of hours is a job";
}

TEST(BatchingTest, AllPlacesAreUsedBeforeAnyJobIsFilled) {
    const auto batching = learnt(20, 1s);
    EXPECT_EQ(batching.next(waiting(10), 5, 5), 2U);
    EXPECT_EQ(batching.next(waiting(3), 5, 5), 1U);
    EXPECT_EQ(batching.next(waiting(0), 5, 5), 0U);
    EXPECT_EQ(batching.next(waiting(40), 1, 5), 8U) << "the others are for places that come free";
    EXPECT_EQ(batching.next(waiting(10), 1, 5), 5U) << "five seconds are worth a job";
}

using ::testing::AllOf;
using ::testing::HasSubstr;

// Two games of one turn's budget each turn, and what the machines' jobs may have.
config::Config config_with(const std::string& machines, const std::string& budget = "5s",
                           const std::string& more = "") {
    auto config = config::read_config(
        R"({"bots": [{"name": "a", "launch": ["x"]}, {"name": "b", "launch": ["x"]}],
        "tournaments": [{"id": "t", "game": "walls", "params": {"size": 3}, "match": {"games": 2},
                         "clock": {"budget": ")" +
            budget + "\"}}" + more + R"(], "machines": {"folder": "/shared", )" + machines + "}}",
        "c.json", "/nowhere");
    EXPECT_TRUE(config) << config.error().front().message;
    return *std::move(config);
}

const std::string on_slurm = R"("kind": "slurm")";
const std::string by_commands = R"("kind": "command", "submit": "s", "list": "l", "cancel": "c")";

TEST(MatchTime, ACapHoldsWhatTheBatchSystemAdds) {
    EXPECT_EQ(job_time_cap(*config_with(on_slurm).machines), job_time_most);
    EXPECT_EQ(job_time_cap(*config_with(on_slurm + R"(, "time_max": "30m")").machines), 28min);
    EXPECT_EQ(job_time_cap(*config_with(on_slurm + R"(, "time_max": "1859s")").machines), 28min)
        << "Slurm counts whole minutes";
    EXPECT_EQ(job_time_cap(*config_with(on_slurm + R"(, "time_max": "1m")").machines), 0s);
    EXPECT_EQ(job_time_cap(*config_with(by_commands + R"(, "time_max": "30m")").machines), 30min);
    EXPECT_EQ(job_time_cap(*config_with(by_commands + R"(, "time_max": "50h")").machines),
              job_time_most);
}

TEST(MatchTime, AMatchThatCantFitIsRefusedWithTheTimeThatItNeeds) {
    const auto fits = config_with(on_slurm);
    EXPECT_EQ(lack_of_job_time(fits), "");
    const auto needed =
        std::chrono::ceil<std::chrono::minutes>(job_time_of(fits, 1)) + std::chrono::minutes(2);
    const auto with = [](std::chrono::minutes time) {
        return on_slurm + R"(, "time_max": ")" + std::to_string(time.count()) + "m\"";
    };
    EXPECT_EQ(lack_of_job_time(config_with(with(needed))), "");
    EXPECT_EQ(job_time_of(fits, 2) - job_time_of(fits, 1), job_time_of(fits, 1) - 10min);
    EXPECT_EQ(job_time_of(fits, 10'000), job_time_most);
    EXPECT_EQ(job_time_of(config_with(with(30min)), 10'000), 28min) << "as its cap has it";
    EXPECT_THAT(lack_of_job_time(config_with(with(needed - 1min))),
                AllOf(HasSubstr("a match of \"t\" may last"), HasSubstr("shorter budgets"),
                      HasSubstr("\"time_max\": \"" + std::to_string(needed.count()) + "m\"")));
}

TEST(MatchTime, AMatchWithoutAnEndFitsNoCap) {
    EXPECT_EQ(lack_of_job_time(config_with(on_slurm, "10h")), "");
    EXPECT_THAT(lack_of_job_time(config_with(on_slurm + R"(, "time_max": "50h")", "10h")),
                HasSubstr("may last a day and longer by its budgets"));
}

TEST(MatchTime, WhatIsPlayedHereNeedsNoJob) {
    const auto* ladder =
        R"(, {"id": "ladder", "game": "walls", "clock": {"budget": "10h"}, "format": {"kind": "ladder"}})";
    auto config = config_with(on_slurm + R"(, "time_max": "2h")", "5s", ladder);
    EXPECT_EQ(lack_of_job_time(config), "");
    EXPECT_EQ(match_times(config).size(), 1U);
    config.pseudonyms = true;
    EXPECT_TRUE(match_times(config).empty());
}

}  // namespace

}  // namespace referee::machines
