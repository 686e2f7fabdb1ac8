#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "referee/report/certainty.h"
#include "referee/report/ratings.h"
#include "referee/report/tournament_texts.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using contests::GamePlan;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// The matrix of superiority, cycles and seats in the files of a tournament.

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

// The earlier in the config, the stronger.
std::vector<int> in_order(const GamePlan& plan) {
    return won_by(plan.entrants[0] < plan.entrants[1]);
}

// Nobody is better than another.
std::vector<int> by_chance(const GamePlan& plan) {
    return won_by(base::SplitMix(plan.key.match * 100 + plan.key.number).next() % 2 == 0);
}

std::vector<int> fair(const GamePlan& plan) {
    return won_by(coin(plan, 50));
}

std::vector<int> first_seat(const GamePlan& plan) {
    return won_by(coin(plan, 75));
}

TEST(CertaintyReport, HasEachPairAndSaysWhereItComesFrom) {
    // Two rounds of six: most never met.
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

TEST(CertaintyReport, CountsAPairAsItPlayedAndTellsCyclesInTheFigures) {
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
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.json, HasSubstr(R"("told":[{"bots":["a","b","c"],"p":)"));
    EXPECT_THAT(standings.statistics, Not(HasSubstr("ycle")));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(CertaintyReport, WarnsOfASeatInOneLine) {
    const PlayedConfig played(4, round_robin(10, 2), first_seat);
    const auto text = standings_of(played.ledger()).statistics;
    EXPECT_THAT(text, ContainsRegex("\nWarning: where a bot sits matters: seat 0 gets \\+.*\n"));
    EXPECT_THAT(text, Not(HasSubstr("Rotation")));
}

TEST(CertaintyReport, OfSeveralSeatsTheSurestIsTold) {
    Certainty certainty;
    certainty.seats.games = 60;
    auto& effects = certainty.seats.effects;
    effects = {{.seat = 0, .advantage = 0.1, .p = 0.04, .real = true},
               {.seat = 1, .advantage = -0.25, .interval = {-0.3, -0.2}, .p = 0.002, .real = true},
               {.seat = 2, .advantage = 0.15, .p = 0.2}};
    EXPECT_EQ(seats_sentence(certainty),
              "Warning: where a bot sits matters: seat 1 gets -25.0% of a game's points beside an "
              "even share (95%: -30.0% to -20.0%; by chance: at most 0.2%); standings.json has 1 "
              "more.");
    effects.resize(1);
    effects[0].kind = certainty::EffectKind::first_move;
    EXPECT_THAT(seats_sentence(certainty), HasSubstr(": who moves first gets +10.0% of"));
    effects[0].real = false;
    EXPECT_EQ(seats_sentence(certainty), "");
}

TEST(CertaintyReport, SaysNothingOfFairSeats) {
    for (const int cycles : {1, 10}) {
        const PlayedConfig played(4, round_robin(cycles, 2), fair);
        const auto standings = standings_of(played.ledger());
        EXPECT_THAT(standings.json, HasSubstr(R"("seats":{"games":)"));
        EXPECT_THAT(standings.statistics, Not(HasSubstr("Warning")));
        EXPECT_THAT(standings.statistics, Not(HasSubstr("eat 0")));
    }
}

TEST(CertaintyReport, DoesNotSayThatSeatsWereAlikeWhereTheyWereNot) {
    const auto uneven = certainty_of(PlayedConfig(4, round_robin(1, 1), first_seat).ledger()).seats;
    for (const auto& left : uneven.left) EXPECT_FALSE(left.alike);
    const auto even = certainty_of(PlayedConfig(4, round_robin(4, 2), first_seat).ledger()).seats;
    ASSERT_FALSE(even.left.empty());
    for (const auto& left : even.left) EXPECT_TRUE(left.alike);
}

TEST(CertaintyReport, OfGamesThatArePlayedAloneTheOrderBySeedsIsInTheFigures) {
    const PlayedConfig played(
        3, R"("game": "superball", "match": {"games": 12}, "format": {"kind": "leaderboard"})",
        [](const GamePlan& plan) -> std::vector<int> {
            return {static_cast<int>(10 * plan.entrants[0] + plan.key.number / 3 % 3)};
        });
    EXPECT_THAT(standings_of(played.ledger()).json,
                ContainsRegex("\"common_seeds\":.\"seeds\":[0-9]+,\"alpha\":0.05,\"pairs\":3,.*"
                              "\"better\":\"c\",\"worse\":\"b\",.*\"difference\":10.00,"));
}

// What an adaptive tournament was asked, and how far that is answered.

std::string asked(const std::string& question) {
    return R"("game": "walls", "match": {"games": 2}, "format": {"kind": "adaptive", )" + question +
           "}";
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
    EXPECT_THAT(standings.json, HasSubstr(R"("question":"top","top":2,)"));
    EXPECT_THAT(standings.json, HasSubstr(R"("answered":false,"asked_pairs":4)"));
    EXPECT_THAT(standings.statistics, HasSubstr("distinct matches of at most 30. As it stands"));
    EXPECT_THAT(standings.statistics, HasSubstr("To tell them apart would take about "));
    EXPECT_THAT(standings.json, HasSubstr(R"("matches_most":30,"matches_missing":)"));
    EXPECT_EQ(standings_of(played.resumed()).json, standings.json);
}

TEST(AdaptiveReport, TellsWhoIsBetterThanOneAndAsksBefore) {
    const PlayedConfig played(5, asked(R"("question": "better_than", "better_than": "c")"),
                              in_order);
    const auto ledger = played.ledger();
    EXPECT_THAT(standings_of(ledger).statistics, HasSubstr("Better: a, b. Worse: d, e."));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("better":["a","b"],"worse":["d","e"])"));
    // Before the field is known.
    Ledger asks;
    asks.config = ledger.config;
    asks.config.format = formats::for_field(asks.config.format, asks.entries);
    look_again(asks);
    EXPECT_THAT(standings_of(asks).statistics,
                HasSubstr("Who is better than c, and who is worse? The "
                          "field is known when it begins."));
    EXPECT_THAT(standings_of(asks).json,
                AllOf(HasSubstr(R"("question":"better_than","better_than":"c",)"),
                      HasSubstr(R"("answered":false,"asked_pairs":0)")));
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
