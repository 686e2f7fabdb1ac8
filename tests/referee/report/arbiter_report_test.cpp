#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "referee/report/ledger.h"
#include "referee/report/tournament_texts.h"
#include "referee/tournament/contests/arbiter.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using contests::GamePlan;
using records::ByeOrder;
using records::HandPairingOrder;
using records::PairOrder;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// What an arbiter ordered, in the files of a tournament.

constexpr std::size_t bots_of_arbiter = 6;

Ledger swiss_ledger(contests::ArbiterLog log = {}, const Twist& twist = {},
                    std::size_t bots = bots_of_arbiter, std::uint32_t rounds = 3) {
    auto ledger = played_ledger(format_with(formats::SwissOptions{.rounds = rounds}),
                                formats::field_of(bots), 1, lots(7), twist);
    ledger.arbiter = std::make_shared<const contests::ArbiterLog>(std::move(log));
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
    contests::ArbiterLog log;
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
    contests::ArbiterLog log;
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
    contests::ArbiterLog log;
    log.by_hand = {{"friday", two, 2, HandPairingOrder::paired, "by lot", "ada"},
                   {"friday", {two[1], two[0]}, 3, HandPairingOrder::paired, {}, "ada"}};
    EXPECT_THAT(pairings_of(ledger).text, Not(HasSubstr("#")));
    EXPECT_EQ(no_fide_pairing(ledger), "");
    ledger.arbiter = std::make_shared<const contests::ArbiterLog>(log);
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

TEST(ArbiterReport, AnnulledGamesStandWithTheirReasonWhereTheyStood) {
    const auto format = format_with(formats::RoundRobinOptions{});
    auto ledger = played_ledger(format, formats::field_of(4), 1, lots(3));
    const GameKey key{ledger.config.id, 2, 1, 1};
    ledger.annulled = std::make_shared<const contests::AnnulledGames>(
        contests::AnnulledGames{{key, "a \n cable"}});
    const auto pairings = pairings_of(ledger);
    EXPECT_THAT(pairings.text,
                HasSubstr("game " + game_id(key) + " does not count, by order: a \\n cable"));
    EXPECT_THAT(pairings.json, HasSubstr(R"("annulled":[{"game":")" + game_id(key)));
    EXPECT_THAT(standings_of(ledger).text, HasSubstr("Arbiter: 1 game was annulled: "));
    const auto json = standings_of(ledger).json;
    std::size_t bots = 0;
    for (auto at = json.find("\"annulled\""); at != std::string::npos;
         at = json.find("\"annulled\"", at + 1))
        ++bots;
    EXPECT_EQ(bots, 2U) << "those who sat in it";
}

// Bots that are out of a tournament, in its standings.

// The last of so many bots never comes.
GameScores without_last(std::size_t bots) {
    return [bots](const GamePlan& plan) {
        std::vector<int> scores;
        for (const auto entrant : plan.entrants) scores.push_back(entrant + 1 == bots ? -1 : 1);
        return scores;
    };
}

// At the end of a tournament it took no match from it.
void expect_told_where(bool told, std::size_t bots, const std::string& format) {
    const PlayedConfig played(bots, R"("game": "walls", "format": )" + format, without_last(bots),
                              true);
    const auto written = standings_of(played.ledger());
    const std::string bot(1, static_cast<char>('a' + bots - 1));
    const std::string reason = "it did not show up in 2 matches in a row";
    const auto in_table = "\nWithdrawn: " + bot + " (" + reason + ")\n";
    EXPECT_EQ(written.text.find(in_table) != std::string::npos, told) << written.text;
    EXPECT_EQ(written.text.find("Withdrawn") != std::string::npos, told) << written.text;
    const auto in_json = R"("withdrawn":")" + reason + '"';
    EXPECT_EQ(written.json.find(in_json) != std::string::npos, told) << written.json;
    EXPECT_EQ(standings_of(played.resumed()).json, written.json);
    std::istringstream lines(written.csv);
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line); ++rows) {
        const bool its = told && line.find(',' + bot + ',') != std::string::npos;
        EXPECT_THAT(line, EndsWith(rows == 0 ? ",withdrawn" : its ? ',' + reason : ","));
    }
    EXPECT_EQ(rows, bots + 1);
}

TEST(WithdrawnBots, AreToldWithTheReasonWhereItTookAMatchFromThem) {
    expect_told_where(true, 6, R"({"kind": "swiss", "rounds": 4})");
    expect_told_where(false, 6, R"({"kind": "swiss", "rounds": 2})");
    expect_told_where(true, 4, R"({"kind": "round_robin"})");
    expect_told_where(false, 3, R"({"kind": "round_robin"})");
}

// Whom the last bot would have met first gains nothing by it, and nobody is compared by fewer
// matches than others.
TEST(WithdrawnBots, WhereTheConfigDropsThemTheirMatchesCountForNobody) {
    const PlayedConfig dropped(
        4, R"("game": "walls", "format": {"kind": "round_robin"}, "withdrawn": "drop")",
        without_last(4), true);
    for (const auto* bot : {"a", "b", "c"})
        EXPECT_EQ(cell_of(dropped.ledger(), bot, standings::TieBreak::points), "1");
    EXPECT_EQ(dropped.ledger().results.size(), 3U);
    EXPECT_THAT(standings_of(dropped.ledger()).text,
                testing::HasSubstr("matches in a row): its matches count for nobody\n"));
    const auto pairings = pairings_of(dropped.ledger());
    EXPECT_THAT(pairings.json, testing::HasSubstr(R"("dropped":true)"));
    EXPECT_THAT(pairings.text, testing::HasSubstr("+ dropped"));
    EXPECT_EQ(standings_of(dropped.resumed()).json, standings_of(dropped.ledger()).json);
}

}  // namespace
}  // namespace referee::report
