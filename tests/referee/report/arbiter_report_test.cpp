#include "referee/report/reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/referee/report/played_ledger.h"

// What an arbiter ordered, in the files of a tournament.

namespace referee::report {
namespace {

using records::ByeOrder;
using records::ManualPairingOrder;
using records::PairOrder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::size_t bots_of_arbiter = 6;

Ledger swiss_ledger(scheduler::ArbiterLog log = {}, const Twist& twist = {},
                    std::size_t bots = bots_of_arbiter, std::uint32_t rounds = 3) {
    formats::FormatConfig format;
    formats::SwissOptions swiss;
    swiss.rounds = rounds;
    format.options = swiss;
    auto ledger = played_ledger(format, formats::field_of(bots), 1, lots(7), twist);
    ledger.arbiter = std::make_shared<const scheduler::ArbiterLog>(std::move(log));
    return ledger;
}

records::ForbiddenPairsRecord pairs(std::vector<std::string> bots, PairOrder order,
                                    std::uint32_t first, std::uint32_t last) {
    return {"friday", std::move(bots), first, last, order, {}, "ada"};
}

records::RequestedByeRecord bye_of(const std::string& bot, std::uint32_t round, ByeOrder order) {
    return {"friday", bot, round, order, {}, "ada"};
}

TEST(ArbiterReport, WhatWasTakenBackIsNotTold) {
    scheduler::ArbiterLog log;
    log.forbidden = {pairs({"bot1", "bot2"}, PairOrder::forbidden, 2, 3),
                     pairs({"bot1", "bot2"}, PairOrder::lifted, 1, UINT32_MAX),
                     pairs({"bot3", "bot4"}, PairOrder::forbidden, 1, 3),
                     pairs({"bot3", "bot4"}, PairOrder::lifted, 2, 2)};
    log.byes = {bye_of("bot1", 2, ByeOrder::half_point), bye_of("bot1", 2, ByeOrder::zero_point),
                bye_of("bot2", 2, ByeOrder::half_point), bye_of("bot2", 2, ByeOrder::taken_back),
                bye_of("bot1", 3, ByeOrder::half_point)};
    const auto ledger = swiss_ledger(std::move(log));
    EXPECT_THAT(arbiter_sentences(ledger),
                ElementsAre("bot3, bot4 don't meet in rounds 1 to 3 (ada)",
                            "bot3, bot4 may meet again in round 2 (ada)",
                            "bot1 sits round 2 out for nothing (ada)",
                            "bot1 sits round 3 out for a draw's points (ada)"));
}

TEST(ArbiterReport, ThatABotPlaysAfterAllIsToldWhereTheConfigHadItSitOut) {
    scheduler::ArbiterLog log;
    log.byes = {bye_of("bot2", 2, ByeOrder::taken_back)};
    auto ledger = swiss_ledger(std::move(log));
    EXPECT_THAT(arbiter_sentences(ledger), IsEmpty());
    ledger.entries[1].half_point_byes = {2};
    EXPECT_THAT(arbiter_sentences(ledger), ElementsAre("bot2 plays round 2 after all (ada)"));
}

TEST(ArbiterReport, MatchesThatWereSetAreMarked) {
    auto ledger = swiss_ledger();
    const auto& second = *std::find_if(ledger.results.begin(), ledger.results.end(),
                                       [](const auto& match) { return match.round == 2; });
    const std::vector<std::string> two{ledger.entries[second.seats[0]].name,
                                       ledger.entries[second.seats[1]].name};
    scheduler::ArbiterLog log;
    log.by_hand = {{"friday", two, 2, ManualPairingOrder::paired, "by lot", "ada"},
                   {"friday", {two[1], two[0]}, 3, ManualPairingOrder::paired, {}, "ada"}};
    EXPECT_THAT(pairings_of(ledger).text, Not(HasSubstr("#")));
    EXPECT_EQ(no_fide_pairing(ledger), "");
    ledger.arbiter = std::make_shared<const scheduler::ArbiterLog>(log);
    const auto said = two[0] + " and " + two[1];
    EXPECT_THAT(
        arbiter_sentences(ledger),
        ElementsAre(said + " are paired by hand in round 2: by lot (ada)",
                    two[1] + " and " + two[0] + " could not be paired by hand in round 3 (ada)"));
    const auto pairings = pairings_of(ledger);
    EXPECT_THAT(pairings.text, HasSubstr("# an arbiter set this match before its round"));
    EXPECT_THAT(pairings.json, HasSubstr("\"by_hand\":true"));
    EXPECT_EQ(no_fide_pairing(ledger), "matches were set by hand");
}

TEST(ArbiterReport, ResultsThatWereSetAreMarkedInAllTables) {
    const auto plain = swiss_ledger();
    for (const auto& text : {pairings_of(plain).text, crosstable_text_of(plain).text,
                             crosstable_text_of(plain).csv, pairings_of(plain).json}) {
        EXPECT_THAT(text, Not(HasSubstr("*")));
        EXPECT_THAT(text, Not(HasSubstr("ruled")));
    }
    const auto ledger = swiss_ledger({}, [](auto& match) { match.ruled = match.match == 2; });
    EXPECT_THAT(pairings_of(ledger).text, HasSubstr("* an arbiter set this result"));
    EXPECT_THAT(pairings_of(ledger).json, HasSubstr("\"ruled\":true"));
    EXPECT_THAT(crosstable_text_of(ledger).text, HasSubstr("A star behind points"));
    const auto csv = crosstable_text_of(ledger).csv;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '*'), 2) << "in the rows of both bots";
}

TEST(ArbiterReport, ThatSomebodyWasLeftOverAgainIsTold) {
    EXPECT_EQ(no_fide_pairing(swiss_ledger({}, {}, 5, 3)), "");
    auto ledger = swiss_ledger({}, {}, 5, 3);
    const auto bye = std::find_if(ledger.byes.begin(), ledger.byes.end(), [](const auto& one) {
        return one.kind == standings::ByeKind::pairing;
    });
    ASSERT_NE(bye, ledger.byes.end());
    auto again = *bye;
    again.round = 3;
    ledger.byes.push_back(again);
    EXPECT_THAT(no_fide_pairing(ledger),
                HasSubstr(ledger.entries[again.entrant].name + " was left over a second time"));
}

}  // namespace
}  // namespace referee::report
