// The matrix of superiority, cycles and seats in the files of a tournament.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "referee/office/report/certainty.h"
#include "referee/office/report/standings_report.h"
#include "tests/referee/office/report/played_config.h"

namespace referee::report {
namespace {

using scheduler::GamePlan;
using testing::HasSubstr;
using testing::Not;

std::string round_robin(int cycles, int games) {
    return R"("game": "walls", "match": {"games": )" + std::to_string(games) +
           R"(}, "format": {"kind": "round_robin", "cycles": )" + std::to_string(cycles) + "}";
}

bool coin(const GamePlan& plan, std::uint64_t of_a_hundred) {
    return base::SplitMix(plan.key.match * 1000 + plan.key.number).next() / 7 % 100 < of_a_hundred;
}

std::vector<int> won_by(bool first) {
    return {first ? 2 : 0, first ? 0 : 2};
}

// a beats b beats c beats a, nine times of ten; all beat d.
std::vector<int> rock_paper_scissors(const GamePlan& plan) {
    const auto first = plan.entrants[0];
    const auto second = plan.entrants[1];
    if (first == 3 || second == 3) return won_by(second == 3);
    return won_by(coin(plan, second == (first + 1) % 3 ? 90 : 10));
}

std::vector<int> fair(const GamePlan& plan) {
    return won_by(coin(plan, 50));
}

std::vector<int> first_seat(const GamePlan& plan) {
    return won_by(coin(plan, 75));
}

TEST(CertaintyReport, HasEachPairAndSaysWhereItComesFrom) {
    // The earlier in the config, the stronger. Two rounds of six: most never met.
    const auto in_order = [](const GamePlan& plan) {
        return won_by(plan.entrants[0] < plan.entrants[1]);
    };
    const PlayedConfig played(
        6, R"("game": "walls", "match": {"games": 2}, "format": {"kind": "swiss", "rounds": 2})",
        in_order);
    protocol::json::Document document;
    ASSERT_TRUE(document.parse(standings_of(played.ledger()).json));
    const auto matrix = document.root().find("superiority");
    EXPECT_EQ(matrix.find("all_pairs").boolean(), true);
    std::size_t met = 0;
    std::size_t pairs = 0;
    for (const auto pair : matrix.find("pairs").elements()) {
        ++pairs;
        const bool here = pair.find("matches").integer().value() > 0;
        met += here ? 1 : 0;
        EXPECT_TRUE(here ? pair.find("share").number().has_value() : pair.find("share").is_null());
        const auto from = pair.find("method").string().value();
        EXPECT_TRUE(from == (here ? "matches" : "model") || from == "nothing") << from;
    }
    EXPECT_EQ(pairs, 15U);
    EXPECT_EQ(met, played.ledger().results.size());
}

TEST(CertaintyReport, CountsAPairAsItPlayed) {
    const PlayedConfig played(4, round_robin(20, 2), rock_paper_scissors);
    const auto ledger = played.ledger();
    const auto records = pair_records(ledger);
    ASSERT_EQ(records.size(), 6U);
    // Counted anew from the results.
    double share = 0;
    for (const auto& match : ledger.results) {
        if (match.seats[0] + match.seats[1] != 1) continue;
        const std::size_t seat = match.seats[0] == 0 ? 0 : 1;
        share += static_cast<double>(match.points[seat].in_halves()) / 2;
    }
    EXPECT_EQ(records[0].a, 0U);
    EXPECT_EQ(records[0].b, 1U);
    EXPECT_EQ(records[0].matches, 20U);
    EXPECT_NEAR(records[0].share, share, 1e-9);
}

TEST(CertaintyReport, TellsCyclesWithNamesAndMatches) {
    const PlayedConfig played(4, round_robin(20, 2), rock_paper_scissors);
    const auto standings = standings_of(played.ledger());
    EXPECT_THAT(standings.text, HasSubstr("Cycles beyond chance: 1 among 4 triples"));
    EXPECT_THAT(standings.text, HasSubstr("a beats b ("));
    EXPECT_THAT(standings.text, HasSubstr(", who beats c ("));
    EXPECT_THAT(standings.json, HasSubstr(R"("told":[{"bots":["a","b","c"],"p":)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(CertaintyReport, SaysHowManyMatchesCyclesTake) {
    const PlayedConfig played(4, round_robin(1, 2), rock_paper_scissors);
    EXPECT_THAT(standings_of(played.ledger()).text,
                HasSubstr("there are too few matches to tell any. It takes at least 8 distinct "
                          "matches"));
}

TEST(CertaintyReport, WarnsOfASeatAndSaysThatRotationTookItOff) {
    const PlayedConfig played(4, round_robin(10, 2), first_seat);
    const auto text = standings_of(played.ledger()).text;
    EXPECT_THAT(text, HasSubstr("Warning: where a bot sits matters.\nSeat 0: +"));
    EXPECT_THAT(text, HasSubstr("adjusted for strengths; beyond chance"));
    EXPECT_THAT(text, HasSubstr("Rotation of seats: everybody had them alike, so that nothing of "
                                "this stays in the standings."));
    EXPECT_THAT(text, HasSubstr("Rotation of first moves: everybody had them alike"));
}

TEST(CertaintyReport, SaysWhoKeepsASeatsWorth) {
    const PlayedConfig played(4, round_robin(10, 1), first_seat);
    const auto text = standings_of(played.ledger()).text;
    EXPECT_THAT(text, HasSubstr("adjusted for strengths; beyond chance"));
}

TEST(CertaintyReport, DoesNotWarnOfFairSeats) {
    const PlayedConfig played(4, round_robin(10, 2), fair);
    const auto text = standings_of(played.ledger()).text;
    EXPECT_THAT(text, HasSubstr("What seats are worth:\nSeat 0: "));
    EXPECT_THAT(text, HasSubstr("no more than chance"));
    EXPECT_THAT(text, Not(HasSubstr("Warning")));
}

TEST(CertaintyReport, SaysHowManyMatchesSeatsTake) {
    const PlayedConfig played(3, round_robin(1, 2), fair);
    EXPECT_THAT(standings_of(played.ledger()).text,
                HasSubstr("Seat 0: too few, 6 games of 3 matches; it takes 6 matches at least."));
}

// A seat that was found to be worth nothing leaves nothing, however it was given.
TEST(CertaintyReport, DoesNotSayThatSeatsWereAlikeWhereTheyWereNot) {
    const PlayedConfig played(4, round_robin(1, 1), first_seat);
    const auto ledger = played.ledger();
    Certainty certainty;
    certainty.seats.games = 6;
    certainty.seats.left = {{certainty::EffectKind::seat, 0, 0, 0, false}};
    EXPECT_THAT(seats_sentence(ledger, certainty), HasSubstr("not everybody had them alike"));
    certainty.seats.left[0].alike = true;
    EXPECT_THAT(seats_sentence(ledger, certainty), HasSubstr(": everybody had them alike"));
    const auto uneven = certainty_of(ledger).seats;
    for (const auto& left : uneven.left) EXPECT_FALSE(left.alike);
    const auto even = certainty_of(PlayedConfig(4, round_robin(4, 2), first_seat).ledger()).seats;
    ASSERT_FALSE(even.left.empty());
    for (const auto& left : even.left) EXPECT_TRUE(left.alike);
}

}  // namespace
}  // namespace referee::report
