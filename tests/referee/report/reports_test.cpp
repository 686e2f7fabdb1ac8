// The texts that a run writes about a tournament.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/files/text_table.h"
#include "referee/report/output_folder.h"
#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"
#include "tests/folder_of_test.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using engines::Score;
using formats::FormatConfig;
using formats::FormatKind;
using protocol::json::Document;
using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

FormatConfig format_of(FormatKind kind, std::size_t seats = 2) {
    return format_with(formats::options_of(kind, seats));
}

Ledger round_robin_of(std::size_t bots) {
    return played_ledger(format_of(FormatKind::round_robin), formats::field_of(bots), 1,
                         formats::by_number);
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) lines.emplace_back(base::next_line(text));
    return lines;
}

TEST(Cells, AreTheSameEverywhere) {
    EXPECT_EQ(Score::halves(-1).text(), "-0.5");
    EXPECT_EQ(files::fixed_text(-0.04, 1), "0.0");
    EXPECT_EQ(files::fixed_text(12.25, 3), "12.250");
}

TEST(StandingsFiles, EveryNumberCanBeFollowedToGames) {
    auto ledger = round_robin_of(4);
    count_game(ledger.results[0], {.attempt = 2});  // the first was annulled
    const auto written = standings_of(ledger);
    Document document;
    ASSERT_TRUE(document.parse(written.json));
    const auto bots = document.root().find("bots");
    ASSERT_EQ(bots.size(), 4U);
    bool game_told = false;
    for (const auto bot : bots.elements()) {
        double points = 0;
        for (const auto match : bot.find("matches").elements()) {
            EXPECT_EQ(match.find("games").size(), 1U);
            for (const auto game : match.find("games").elements()) {
                points += game.find("score").number().value_or(-1);
                game_told = game_told || game.find("game").string() == "cup/1.1~2";
            }
        }
        EXPECT_EQ(points, bot.find("points").number());
    }
    EXPECT_TRUE(game_told) << "by the id of the play that counts";
}

// bot1 wins all, bot4 none.
TEST(StandingsFiles, HouseBotsStandBehindTheOthersWithoutARank) {
    auto ledger = round_robin_of(4);
    ledger.config.house = {"bot1", "bot3"};
    const auto rank_and_name = [&ledger] {
        std::vector<std::pair<std::string, std::string>> all;
        for (const auto& row : rows_of(ledger))
            all.emplace_back(rank_text(row.rank), ledger.entries[row.entrant].name);
        return all;
    };
    const auto apart = ElementsAre(Pair("1", "bot2"), Pair("2", "bot4"), Pair("house", "bot1"),
                                   Pair("house", "bot3"));
    EXPECT_THAT(rank_and_name(), apart);
    ledger.places = {{1, 2, 2, 4}};  // as a ladder has them
    EXPECT_THAT(rank_and_name(), apart);
    const auto written = standings_of(ledger);
    EXPECT_THAT(written.json, HasSubstr(R"("rank":null,"name":"bot1")"));
    EXPECT_THAT(written.csv, HasSubstr("\nhouse,bot1,"));
    EXPECT_EQ(written.json.find("\"rank_interval\"", written.json.find(R"("name":"bot1")")),
              std::string::npos)
        << "nor an interval of ranks";
}

TEST(StandingsFiles, HouseBotsStandByTheirPlacesAndBehindTheseThoseWithoutAMatch) {
    auto ledger = round_robin_of(4);
    ledger.config.house = {"bot1", "bot3", "bot4"};
    std::erase_if(ledger.results, [](const auto& match) {
        return std::count(match.seats.begin(), match.seats.end(), 0U) > 0;
    });
    ledger.places = {{2, 1, 4, 3}};
    std::vector<std::string> names;
    for (const auto& row : rows_of(ledger)) names.push_back(ledger.entries[row.entrant].name);
    EXPECT_THAT(names, ElementsAre("bot2", "bot4", "bot3", "bot1"));
}

TEST(StandingsFiles, TellGamesThatAreSetAside) {
    auto ledger = round_robin_of(4);
    EXPECT_THAT(standings_of(ledger).json + standings_of(ledger).text,
                AllOf(Not(HasSubstr("set_aside")), Not(HasSubstr("Set aside"))));
    ledger.set_aside = "game cup/2.1~4 is set aside: it was annulled 4 times";
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("set_aside":")" + ledger.set_aside + '"'));
    EXPECT_THAT(standings_of(ledger).text, HasSubstr("\nSet aside: " + ledger.set_aside + "\n"));
}

TEST(StandingsFiles, HaveRatingsAndHowSureTheOrderIs) {
    struct Case {
        FormatConfig format;
        std::size_t bots;
        std::vector<const char*> headings;
    };
    const std::vector<Case> cases = {
        {format_of(FormatKind::round_robin), 6, {"elo", "elo_error95", "superiority", "rank_best"}},
        {format_of(FormatKind::swiss), 9, {"elo", "rank_worst"}},
        {format_of(FormatKind::swiss, 4), 12, {"skill", "skill_deviation", "rank_best"}},
        {format_of(FormatKind::leaderboard), 5, {"points"}},
        {format_of(FormatKind::knockout), 5, {"elo", "superiority"}},
    };
    for (const auto& each : cases) {
        const auto ledger =
            played_ledger(each.format, formats::field_of(each.bots), 1, formats::by_number);
        const auto written = standings_of(ledger);
        const auto lines = lines_of(written.csv);
        ASSERT_EQ(lines.size(), each.bots + 1);
        for (const auto* heading : each.headings)
            EXPECT_THAT(lines[0], HasSubstr(heading)) << formats::name_of(each.format.kind());
        const auto commas = std::count(lines[0].begin(), lines[0].end(), ',');
        for (const auto& line : lines)
            EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas) << line;
        const bool bracket = each.format.kind() == FormatKind::knockout;
        EXPECT_EQ(written.statistics.find("How sure the order is") == std::string::npos, bracket);
        Document document;
        EXPECT_TRUE(document.parse(written.json)) << written.json;
    }
}

TEST(StandingsFiles, APersonReadsTheTableTheCrossTableAndOneSentence) {
    const auto text = standings_of(round_robin_of(5)).text;
    EXPECT_THAT(text, HasSubstr("rank  name  points"));
    EXPECT_THAT(text, HasSubstr("\nno  name  1   2"));
    EXPECT_THAT(text, HasSubstr("\nHow sure the order is: bot1 is the strongest with "));
    for (const auto* part : {" Elo", "ranks", "draws of what", "distinct"})
        EXPECT_THAT(text, Not(HasSubstr(part)));
    EXPECT_THAT(standings_of(round_robin_of(17)).text, Not(HasSubstr("\nno  name")));
}

TEST(StandingsFiles, WhileMatchesArePlayedItIsSaidAfterHowManyTheyWereWritten) {
    auto ledger = round_robin_of(3);
    ledger.matches_played = 5'000'001;  // of which only the last are kept
    ledger.finished = false;
    EXPECT_THAT(standings_of(ledger).text, HasSubstr(" time; after 5000001 matches\n"));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("matches_played":5000001)"));
    ledger.finished = true;
    EXPECT_THAT(standings_of(ledger).text, HasSubstr(" time\n"));
}

TEST(StandingsFiles, OfTooFewMatchesTheOrderIsNotCalledSure) {
    for (const auto& [bots, sure] : {std::pair(3U, false), std::pair(4U, true)}) {
        const auto written = standings_of(round_robin_of(bots));
        EXPECT_EQ(written.csv.find("rank_best") != std::string::npos, sure) << bots;
        EXPECT_EQ(written.statistics.find("can't be said") == std::string::npos, sure) << bots;
    }
}

TEST(StandingsFiles, ABracketsPlacesAreTheRanks) {
    // The winner of the upper half was seeded with a bye: fewer points than the loser of the final.
    const auto ledger =
        played_ledger(format_of(FormatKind::knockout), formats::field_of(3), 1, formats::by_number);
    const auto lines = lines_of(standings_of(ledger).csv);
    EXPECT_THAT(lines[1], HasSubstr("1,bot1,1,"));
    EXPECT_THAT(lines[2], HasSubstr("2,bot2,1,"));
    EXPECT_THAT(lines[3], HasSubstr("3,bot3,0,"));
}

TEST(StandingsFiles, AllTieBreaksCanBeAskedFor) {
    auto ledger = played_ledger(format_of(FormatKind::swiss), formats::field_of(8), 1, lots(1));
    ledger.config.tie_breaks.clear();
    for (const auto& each : standings::tie_break_names)
        ledger.config.tie_breaks.push_back(each.value);
    for (std::size_t i = 0; i < 8; ++i) ledger.entries[i].rating = static_cast<int>(2000 - 10 * i);
    Document document;
    ASSERT_TRUE(document.parse(standings_of(ledger).json));
    const auto best = document.root().find("bots").at(0);
    for (const auto& each : standings::tie_break_names)
        EXPECT_TRUE(best.find(each.name).number()) << each.name;
    EXPECT_GT(best.find("average_opponent_rating").number().value_or(0), 1900);
    EXPECT_EQ(best.find("time_used").number(), 3000);
}

TEST(StandingsFiles, ASequentialTestIsTold) {
    const auto format =
        format_with(formats::GauntletOptions{1000, formats::SprtBounds{0, 50, 0.05, 0.05}});
    const auto written =
        standings_of(played_ledger(format, formats::field_of(2), 1, formats::by_number, {}, 500));
    EXPECT_THAT(written.statistics, HasSubstr("Elo of a match: bot1 is stronger after "));
    EXPECT_THAT(written.json,
                ContainsRegex(R"("sprt":[^}]*"elo":"match"[^}]*"verdict":"stronger")"));
}

TEST(StandingsFiles, RepeatedGamesCountForPointsAndOnceForRatings) {
    const auto format = format_with(formats::GauntletOptions{300, {}});
    const auto written_of = [&](bool repeats) {
        return standings_of(played_ledger(
            format, formats::field_of(2), 1, lots(1), [&](formats::MatchResult& result) {
                const auto won = result.points[0] > result.points[1] ? "won" : "not won";
                count_game(result, {.fingerprint = repeats ? won : std::to_string(result.match)});
            }));
    };
    Document once;
    Document all;
    const auto written = written_of(true);
    ASSERT_TRUE(once.parse(written.json));
    ASSERT_TRUE(all.parse(written_of(false).json));
    EXPECT_EQ(once.root().find("matches").integer(), 300);
    EXPECT_EQ(once.root().find("distinct").integer(), 2);
    EXPECT_EQ(all.root().find("distinct").integer(), 300);
    const auto best = [](const Document& of) { return of.root().find("bots").at(0); };
    EXPECT_EQ(best(once).find("points").number(), best(all).find("points").number());
    EXPECT_EQ(best(once).find("rating").find("matches").integer(), 2);
    const auto error = [&](const Document& of) {
        return best(of).find("rating").find("elo_error95").number().value_or(0);
    };
    EXPECT_LT(error(all), 25);
    EXPECT_GT(error(once), 100);
    EXPECT_THAT(written.statistics, HasSubstr("300 matches, 2 distinct."));
    EXPECT_THAT(written.statistics, HasSubstr("Warning: so many repetitions are little evidence."));
    EXPECT_THAT(written.statistics, HasSubstr("can't be said")) << "two matches are too few";
    EXPECT_THAT(written_of(false).statistics, HasSubstr("300 matches, 300 distinct.\n"));
}

TEST(StandingsFiles, GroupsThatNeverMetAreTold) {
    auto ledger = round_robin_of(4);
    EXPECT_THAT(standings_of(ledger).statistics, Not(HasSubstr("never met")));
    std::erase_if(ledger.results, [](const formats::MatchResult& result) {
        return (result.seats[0] < 2) != (result.seats[1] < 2);
    });
    EXPECT_THAT(standings_of(ledger).statistics,
                HasSubstr("The field is in 2 groups that never met"));
    EXPECT_THAT(standings_of(ledger).json, HasSubstr(R"("groups":2,)"));
}

TEST(Crosstable, SmallFieldsHaveAColumnForEachBot) {
    const auto ledger = round_robin_of(3);
    EXPECT_THAT(lines_of(crosstable_text_of(ledger).csv),
                ElementsAre("no,name,1,2,3,points,rank", "1,bot1,*,W1,W1,2,1", "2,bot2,L0,*,W1,1,2",
                            "3,bot3,L0,L0,*,0,3"));
}

// It has no rounds: all its matches would stand in one.
TEST(Crosstable, OfALadderHasAColumnForEachBotAndNoFileOfRounds) {
    const auto of = [](std::size_t bots) {
        auto ledger = round_robin_of(bots);
        ledger.config.format = format_of(FormatKind::ladder);
        std::erase_if(ledger.results, [](const auto& match) { return match.seats[0] > 1; });
        for (auto& match : ledger.results) match.round = 1;
        return ledger;
    };
    EXPECT_EQ(lines_of(crosstable_text_of(of(3)).csv)[0], "no,name,1,2,3,points,rank");
    EXPECT_EQ(lines_of(crosstable_text_of(of(65)).csv)[0], "no,name,points,rank");
    auto one = of(3);
    one.results.resize(1);
    EXPECT_FALSE(trf_file_of(one));
}

TEST(Crosstable, OfASwissHasAColumnForEachRound) {
    const auto absent = [](formats::MatchResult& result) {
        if (result.match == 1) result.absent = {false, true};
    };
    const auto ledger = played_ledger(format_of(FormatKind::swiss), formats::field_of(5), 1,
                                      formats::by_number, absent);
    EXPECT_THAT(crosstable_text_of(ledger).csv,
                AllOf(StartsWith("no,name,round 1,round 2,round 3,points,rank\n"),
                      HasSubstr("bye 1"), HasSubstr("+"), HasSubstr("-")));
}

// Names in the cells would be hidden nowhere: "LBobb 0" has no word "Bob".
TEST(Crosstable, ALeaderboardsOpponentsHaveNumbersAndNoPlace) {
    const auto format = format_with(formats::LeaderboardOptions{.opponents = {2}});
    const auto ledger = played_ledger(format, formats::field_of(3), 1, formats::by_number);
    const auto crosstable = crosstable_text_of(ledger);
    EXPECT_THAT(crosstable.csv, HasSubstr("\n3,bot3,,,opponent\n"));
    EXPECT_EQ(crosstable.csv.find("bot3"), crosstable.csv.rfind("bot3"));
    EXPECT_THAT(crosstable.csv, HasSubstr("W3"));
    EXPECT_THAT(
        crosstable.json,
        HasSubstr(R"({"number":3,"name":"bot3","cells":[""],"points":null,"rank":"opponent"})"));
}

TEST(OutputFolder, IsRemarkedOnWhereEverybodyMayWriteToAllOfIt) {
    const tests::FolderOfTest made;
    for (const auto& [mode, remarked] :
         {std::pair(0775U, false), std::pair(0777U, true), std::pair(01777U, false)}) {
        ASSERT_EQ(::chmod(made.path.c_str(), mode), 0);
        const auto remark = OutputFolder(made.path, true).remark();
        EXPECT_EQ(remark.ends_with("; `chmod o-w " + made.path + "` ends that"), remarked) << mode;
    }
}

TEST(Pairings, HaveEveryRoundWithItsByesAndWhatIsOpen) {
    const auto format = format_with(formats::SwissOptions{.rounds = 3});
    auto entries = formats::field_of(5);
    entries[4].first_round = 2;
    const auto ledger = played_ledger(format, entries, 1, formats::by_number, {}, 3);
    const auto written = pairings_of(ledger);
    Document document;
    ASSERT_TRUE(document.parse(written.json));
    const auto rounds = document.root().find("rounds");
    ASSERT_EQ(rounds.size(), 2U);
    EXPECT_EQ(rounds.at(0).find("matches").size(), 2U);
    EXPECT_EQ(rounds.at(0).find("byes").at(0).find("kind").string(), "zero_point");
    EXPECT_EQ(rounds.at(1).find("byes").at(0).find("kind").string(), "pairing");
    EXPECT_EQ(rounds.at(1).find("matches").at(0).find("over").boolean(), true);
    const auto open = rounds.at(1).find("matches").at(1);
    EXPECT_EQ(open.find("over").boolean(), false);
    EXPECT_FALSE(open.find("seats").at(0).find("points"));
    EXPECT_EQ(rounds.at(0).find("matches").at(0).find("games").at(0).string(), "cup/1.1");
    EXPECT_THAT(written.text, HasSubstr("Round 2\nboard"));
    EXPECT_THAT(written.text, HasSubstr("absent: bot5"));
}

TEST(Pairings, OfAKnockoutTellWhoWonALevelMatchAndBy) {
    struct Case {
        Twist twist;
        const char* winner;
        const char* by;
    };
    const auto level = [](formats::MatchResult& result) {
        result.placing = {1, 1};
        result.points = {Score::halves(1), Score::halves(1)};
        result.scores = result.points;
        result.used_us = {7, 6};
        result.one_goes_on = true;
    };
    const std::vector<Case> cases = {
        {level, "bot1", "lot"},
        {[&](auto& r) { level(r), r.lot = 1; }, "bot2", "lot"},
        {[&](auto& r) { level(r), r.scores[1] = Score::whole(2); }, "bot2", "the sum of scores"},
        {[&](auto& r) {
             level(r), r.scores[1] = Score::whole(2), r.wins = {1, 0};
         },
         "bot1", "more games won"},
        {[](auto& r) {
             r.placing = {1, 2};
             r.one_goes_on = true;
         },
         "bot1", nullptr},
    };
    for (const auto& [twist, winner, by] : cases) {
        const auto ledger = played_ledger(format_of(FormatKind::knockout), formats::field_of(2), 1,
                                          formats::by_number, twist);
        const auto written = pairings_of(ledger);
        Document document;
        ASSERT_TRUE(document.parse(written.json)) << written.json;
        const auto match = document.root().find("rounds").at(0).find("matches").at(0);
        EXPECT_EQ(match.find("winner").string(), winner);
        EXPECT_EQ(rows_of(ledger)[0].entrant, winner == std::string("bot1") ? 0U : 1U);
        if (by == nullptr) {
            EXPECT_FALSE(match.find("level_by"));
            EXPECT_THAT(written.text, Not(HasSubstr("level")));
        } else {
            EXPECT_EQ(match.find("level_by").string(), by);
            EXPECT_THAT(written.text, HasSubstr(std::string("board 1 is level: ") + winner +
                                                " wins by " + by + "\n"));
        }
    }
}

}  // namespace
}  // namespace referee::report
