// What an adaptive tournament was asked, and how far that is answered.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/split_mix.h"
#include "referee/office/report/standings_report.h"
#include "tests/referee/office/report/played_config.h"

namespace referee::report {
namespace {

using scheduler::GamePlan;
using testing::HasSubstr;

std::string asked(const std::string& question) {
    return R"("game": "walls", "match": {"games": 2}, "format": {"kind": "adaptive", )" + question +
           "}";
}

// The earlier in the config, the stronger.
std::vector<int> in_order(const GamePlan& plan) {
    const bool first = plan.entrants[0] < plan.entrants[1];
    return {first ? 2 : 0, first ? 0 : 2};
}

// Nobody is better than another.
std::vector<int> by_chance(const GamePlan& plan) {
    const bool first = base::SplitMix(plan.key.match * 100 + plan.key.number).next() % 2 == 0;
    return {first ? 2 : 0, first ? 0 : 2};
}

TEST(AdaptiveReport, TellsWhoIsFirst) {
    const PlayedConfig played(6, asked(R"("question": "first")"), in_order);
    const auto ledger = played.ledger();
    EXPECT_TRUE(ledger.finished);
    EXPECT_EQ(ledger.places->front(), 1U);
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.text, HasSubstr("Who is first? Answered at 95.0% after "));
    EXPECT_THAT(standings.text, HasSubstr("First is a."));
    EXPECT_THAT(standings.json, HasSubstr(R"("answered":true)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(AdaptiveReport, TellsWhoIsUnsure) {
    const PlayedConfig played(4, asked(R"("question": "top", "top": 2, "matches": 30)"), by_chance);
    const auto ledger = played.ledger();
    const auto standings = standings_of(ledger);
    EXPECT_EQ(ledger.results.size(), 30U);
    EXPECT_THAT(standings.text, HasSubstr("Which 2 are first? Not answered at 95.0% after "));
    EXPECT_THAT(standings.text, HasSubstr("of 4 pairs aren't told apart; unsure: "));
    EXPECT_THAT(
        standings.text,
        HasSubstr("Ended early: the question isn't answered, and its 30 matches are played"));
    EXPECT_THAT(standings.json, HasSubstr(R"("answered":false,"asked_pairs":4)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(AdaptiveReport, TellsWhoIsBetterThanOne) {
    const PlayedConfig played(5, asked(R"("question": "better_than", "better_than": "c")"),
                              in_order);
    const auto ledger = played.ledger();
    EXPECT_THAT(standings_of(ledger).text, HasSubstr("Better: a, b. Worse: d, e."));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("better":["a","b"],"worse":["d","e"])"));
}

}  // namespace
}  // namespace referee::report
