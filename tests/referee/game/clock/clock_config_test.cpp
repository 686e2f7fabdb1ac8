#include "referee/game/clock/clock_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"

namespace referee::clock {
namespace {

using namespace std::chrono_literals;

TEST(ClockConfigTest, CompletesTheHardLimit) {
    struct Case {
        const char* what;
        ClockConfig given;
        Duration hard_limit;
    };
    const std::vector<Case> cases{
        {"a turn's budget is its limit", {.kind = ClockKind::turn, .budget = 50ms}, 50ms},
        {"a game's budget is a turn's limit", {.kind = ClockKind::game, .budget = 5min}, 5min},
        {"none: the default", {.kind = ClockKind::none}, 60s},
        {"none: what the bots are told is no limit", {.kind = ClockKind::none, .budget = 1s}, 60s},
        {"no budget: the default", {.kind = ClockKind::turn}, 60s},
        {"processor time: twenty budgets", {.measure = Measure::cpu, .budget = 100ms}, 2s},
        {"processor time: never below a second", {.measure = Measure::cpu, .budget = 1ms}, 1s},
        {"given: kept", {.budget = 1s, .hard_limit = 7s}, 7s},
    };
    for (const auto& [what, given, hard_limit] : cases) {
        const auto whole = completed(given);
        EXPECT_EQ(whole.hard_limit, hard_limit) << what;
        auto rest = whole;
        rest.hard_limit = given.hard_limit;
        EXPECT_EQ(rest, given) << what << ": nothing else changes";
        EXPECT_EQ(completed(whole), whole) << what << ": completing twice changes nothing";
    }
}

TEST(ClockConfigTest, EachGameHasAGoodDefaultClock) {
    const engines::Registry registry;
    ASSERT_FALSE(registry.games().empty());
    for (const auto& game : registry.games()) {
        const auto& info = game->info();
        const auto config = default_clock(info);
        EXPECT_THAT(mistakes(config), testing::IsEmpty()) << info.id;
        EXPECT_EQ(config.kind, info.clock.kind) << info.id;
        EXPECT_EQ(config.measure, info.clock.measure) << info.id;
        EXPECT_EQ(in_us(config.budget), info.clock.budget_us) << info.id;
        EXPECT_EQ(config.waits_for_late, info.clock.waits_for_late) << info.id;
        EXPECT_GT(config.hard_limit, Duration::zero()) << info.id;
        EXPECT_GT(config.hung_after, Duration::zero()) << info.id;
        for (const auto& [named, taken] :
             {std::pair(info.clock.hard_limit_us, config.hard_limit),
              std::pair(info.clock.hung_after_us, config.hung_after)}) {
            EXPECT_TRUE(named == 0 || in_us(taken) == named) << info.id;
        }
    }
}

TEST(ClockConfigTest, MistakesNameTheMember) {
    struct Case {
        ClockConfig config;
        std::vector<std::string> members;
    };
    const std::vector<Case> cases{
        {{.budget = 1s}, {}},
        {{.kind = ClockKind::game, .budget = 1min, .increment = 100ms}, {}},
        {{.kind = ClockKind::none}, {}},
        {{.kind = ClockKind::turn}, {"budget"}},
        {{.kind = ClockKind::game}, {"budget"}},
        {{.kind = ClockKind::none, .budget = -1s}, {"budget"}},
        {{.budget = 1s, .increment = 1ms}, {"increment"}},
        {{.kind = ClockKind::game, .budget = 1s, .increment = -1ms}, {"increment"}},
        {{.budget = 1s, .hard_limit = -1s}, {"hard_limit"}},
        {{.budget = 1s, .hard_limit = 999ms}, {"hard_limit"}},
        {{.measure = Measure::cpu, .budget = 1s, .hard_limit = 10ms}, {"hard_limit"}},
        {{.budget = 1s, .hard_limit = 1s}, {}},
        {{.kind = ClockKind::game, .budget = 1min, .hard_limit = 1s}, {}},
        {{.kind = ClockKind::game, .budget = 1s, .waits_for_late = true}, {"waits_for_late"}},
        {{.kind = ClockKind::none, .waits_for_late = true}, {"waits_for_late"}},
        {{.budget = 1s, .waits_for_late = true, .hung_after = 0s}, {"hung_after"}},
        {{.budget = 1s, .hung_after = 0s}, {}},
        {{.budget = 1s, .allowance_max = -1ms}, {"allowance_max"}},
        {{.budget = 1s, .jitter_max = -1ms}, {"jitter_max"}},
        {{.budget = 1s, .jitter_max = 0ms}, {}},
        {{.increment = 1ms, .hard_limit = -1s, .allowance_max = -1ms},
         {"budget", "increment", "hard_limit", "allowance_max"}},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        std::vector<std::string> members;
        for (const auto& mistake : mistakes(cases[i].config)) {
            const auto colon = mistake.find(": ");
            ASSERT_NE(colon, std::string::npos) << mistake;
            members.push_back(mistake.substr(0, colon));
        }
        EXPECT_EQ(members, cases[i].members) << "case " << i;
    }
}

TEST(ClockConfigTest, ResultsNameTheMeasureWhereThereIsNoBudget) {
    EXPECT_EQ(name_in_results({.kind = ClockKind::turn, .measure = Measure::cpu}), "turn");
    EXPECT_EQ(name_in_results({.kind = ClockKind::game, .measure = Measure::wall}), "game");
    EXPECT_EQ(name_in_results({.kind = ClockKind::none, .measure = Measure::cpu}), "cpu");
    EXPECT_EQ(name_in_results({.kind = ClockKind::none, .measure = Measure::wall}), "wall");
}

TEST(Time, IsTold) {
    EXPECT_EQ(ms_text(1012345us), "1012.345 ms");
    EXPECT_EQ(ms_text(-105us), "-0.105 ms");
    EXPECT_EQ(round_time(30s), "30 s");
    EXPECT_EQ(round_time(1500ms), "1500 ms");
    EXPECT_EQ(round_time(1500us), "1.500 ms");
}

}  // namespace
}  // namespace referee::clock
