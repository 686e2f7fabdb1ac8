// Level matches of knockouts: more games, then more wins, then the sum of scores, then a lot.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "referee/report/reports.h"
#include "tests/referee/config/reading.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using scheduler::GamePlan;
using testing::HasSubstr;

std::string cup(std::uint32_t seed, const std::string& match, const std::string& format = "") {
    return R"("game": "walls", "seed": )" + std::to_string(seed) + R"(, "match": {)" + match +
           R"(}, "format": {"kind": "knockout")" + format + "}";
}

std::vector<int> drawn(const GamePlan&) {
    return {1, 1};
}

// `a` always uses less time.
TEST(LevelMatches, TimeCrownsNobody) {
    std::map<std::size_t, int> crowned;
    constexpr int seeds = 200;
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
        const PlayedConfig played(2, cup(seed, R"("best_of": 5)"), drawn);
        const auto ledger = played.ledger();
        EXPECT_GT(played.games().size(), 5U);
        const auto& places = *ledger.places;
        ++crowned[places[0] == 1 ? 0 : 1];
        EXPECT_THAT(pairings_of(ledger).text, HasSubstr("by lot"));
        EXPECT_THAT(standings_of(ledger).text, HasSubstr("by lot"));
        EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("level_by":"lot")"));
        EXPECT_EQ(standings_of(played.resumed()).json, standings_of(ledger).json);
        EXPECT_EQ(pairings_of(played.resumed()).json, pairings_of(ledger).json);
    }
    // A fair lot: four standard deviations of 200 tosses are 28.
    EXPECT_NEAR(crowned[0], seeds / 2.0, 28);
}

TEST(LevelMatches, MayHaveNoExtraGames) {
    const PlayedConfig played(2, cup(1, R"("games": 2)", R"(, "extra_games": 0)"), drawn);
    EXPECT_EQ(played.games().size(), 2U);
    EXPECT_THAT(pairings_of(played.ledger()).text, HasSubstr("by lot"));
}

TEST(LevelMatches, OfAStageAreToldToo) {
    const PlayedConfig played(
        4, R"("game": "walls", "format": {"kind": "stages", "stages": [{"kind": "round_robin"},
           {"kind": "knockout", "advance": 2, "extra_games": 2}]})",
        drawn);
    const auto ledger = played.ledger();
    EXPECT_THAT(pairings_of(ledger).text, HasSubstr("by lot"));
    EXPECT_THAT(standings_of(ledger).text, HasSubstr("goes on by lot"));
    EXPECT_EQ(ledger.results.back().games, 4U);
    EXPECT_EQ(ledger.results.front().games, 2U) << "elsewhere a draw is a draw";
}

// A first game that is played again decides the match while the third game waits. The third is
// played too, and changes nothing.
TEST(LevelMatches, AGamePlayedAgainDecidesOnlyOnce) {
    const auto config = config::tournament(R"("game": "walls", "match": {"best_of": 3})");
    const engines::Registry registry;
    scheduler::Contest contest(config, *registry.find("walls"));
    const auto play = [&contest](const std::vector<int>& scores) {
        const auto plan = contest.take(0);
        auto result = contest.finished(told(plan, scores));
        contest.committed(contest.changes());
        return result;
    };
    contest.begin({{.name = "a", .team = {}, .half_point_byes = {}},
                   {.name = "b", .team = {}, .half_point_byes = {}}},
                  "{}", "test");
    ASSERT_TRUE(contest.set_state(records::TournamentState::running, "started"));
    contest.draw(1);
    contest.committed(contest.changes());
    play({2, 0});
    play({0, 2});
    ASSERT_EQ(contest.waiting().size(), 1U);
    ASSERT_TRUE(contest.annul({"t", 1, 1, 1}, "a cable was loose"));
    contest.committed(contest.changes());
    ASSERT_EQ(contest.waiting().size(), 2U);
    EXPECT_FALSE(play({0, 2})) << "the third is not over";
    const auto result = play({2, 0});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->placing, (std::vector<int>{2, 1}));
    EXPECT_EQ(result->games, 2U);
}

}  // namespace
}  // namespace referee::report
