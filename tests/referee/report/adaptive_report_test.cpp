// What an adaptive tournament was asked, and how far that is answered.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/split_mix.h"
#include "referee/report/ledger.h"
#include "referee/report/reports.h"
#include "referee/report/rows.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using scheduler::GamePlan;
using testing::HasSubstr;
using testing::Not;

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
    EXPECT_THAT(standings.statistics, HasSubstr("Who is first? Answered at 95.0% after "));
    EXPECT_THAT(standings.statistics, HasSubstr("First is a."));
    EXPECT_THAT(standings.json, HasSubstr(R"("answered":true)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

// Whenever the standings are written, in the middle of a round too.
TEST(AdaptiveReport, RanksAreOfTheSharesBesideThem) {
    const PlayedConfig played(6, asked(R"("question": "order", "matches": 70)"), by_chance);
    auto ledger = played.ledger();
    for (const std::size_t matches : {70U, 41U, 23U, 8U}) {
        ledger.results.resize(std::min(matches, ledger.results.size()));
        look_again(ledger);
        const auto rows = rows_of(ledger);
        const auto& model = ledger.adaptive->model();
        for (std::size_t i = 0; i + 1 < rows.size(); ++i)
            EXPECT_GE(model.share(rows[i].entrant), model.share(rows[i + 1].entrant)) << matches;
    }
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.statistics, HasSubstr(" share "));
    EXPECT_THAT(standings.statistics, HasSubstr("Ranks are by \"share\""));
    EXPECT_THAT(standings.json, HasSubstr(R"("share_high95":)"));
}

TEST(AdaptiveReport, TellsWhoIsUnsure) {
    const PlayedConfig played(4, asked(R"("question": "top", "top": 2, "matches": 30)"), by_chance);
    const auto ledger = played.ledger();
    const auto standings = standings_of(ledger);
    EXPECT_EQ(ledger.results.size(), 30U);
    EXPECT_THAT(standings.statistics, HasSubstr("Which 2 are first? Not answered at 95.0% after "));
    EXPECT_THAT(standings.statistics, HasSubstr("of 4 pairs aren't told apart; unsure: "));
    EXPECT_THAT(
        standings.statistics,
        HasSubstr("Ended early: the question isn't answered, and its 30 matches are played"));
    EXPECT_THAT(standings.json, HasSubstr(R"("answered":false,"asked_pairs":4)"));
    EXPECT_THAT(standings.statistics, HasSubstr("distinct matches of at most 30. As it stands"));
    EXPECT_THAT(standings.statistics, HasSubstr("To tell them apart would take about "));
    EXPECT_THAT(standings.json, HasSubstr(R"("matches_most":30,"matches_missing":)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(AdaptiveReport, TellsWhoIsBetterThanOne) {
    const PlayedConfig played(5, asked(R"("question": "better_than", "better_than": "c")"),
                              in_order);
    const auto ledger = played.ledger();
    EXPECT_THAT(standings_of(ledger).statistics, HasSubstr("Better: a, b. Worse: d, e."));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("better":["a","b"],"worse":["d","e"])"));
}

TEST(AdaptiveReport, AsksBeforeTheFieldIsKnown) {
    const PlayedConfig played(5, asked(R"("question": "better_than", "better_than": "c")"),
                              in_order);
    Ledger ledger;
    ledger.config = played.ledger().config;
    ledger.config.format = formats::for_field(ledger.config.format, ledger.entries);
    look_again(ledger);
    EXPECT_THAT(standings_of(ledger).statistics,
                HasSubstr("Who is better than c, and who is worse? The "
                          "field is known when it begins."));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("better_than":"c",)"));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("answered":false,"asked_pairs":0)"));
}

TEST(AdaptiveReport, IntervalsOfSharesEndWhereSharesDo) {
    const PlayedConfig played(4, asked(R"("matches": 30)"), by_chance);
    auto ledger = played.ledger();
    ledger.results.clear();
    look_again(ledger);
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.json,
                HasSubstr(R"("share":0.5000,"share_low95":0.0000,"share_high95":1.0000)"));
    EXPECT_THAT(standings.statistics, Not(HasSubstr("matches more, if all")));
    EXPECT_THAT(standings.statistics, Not(HasSubstr("  3 of")));
}

}  // namespace
}  // namespace referee::report
