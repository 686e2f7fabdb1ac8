// Bots that are out of a tournament, in its standings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "referee/report/reports.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using scheduler::GamePlan;

// The last of so many bots never comes.
GameScores without_last(std::size_t bots) {
    return [bots](const GamePlan& plan) {
        std::vector<int> scores;
        for (const auto entrant : plan.entrants) scores.push_back(entrant + 1 == bots ? -1 : 1);
        return scores;
    };
}

// What the file of lines with commas has under `withdrawn`, by the bot's name. No text of this
// test has a comma.
std::map<std::string, std::string> withdrawn_column(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::vector<std::string> names;
    std::map<std::string, std::string> column;
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream rest(line + ',');
        for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
        if (names.empty()) {
            names = cells;
            continue;
        }
        const auto found = std::find(names.begin(), names.end(), "withdrawn");
        if (found == names.end()) return {};
        const auto place = static_cast<std::size_t>(found - names.begin());
        if (cells.size() == names.size()) column[cells[1]] = cells[place];
    }
    return column;
}

struct Case {
    const char* name;
    std::size_t bots;
    std::string format;
    bool told;
};

class Withdrawn : public ::testing::TestWithParam<Case> {};

TEST_P(Withdrawn, AreToldWithTheReasonWhereItTookAMatchFromThem) {
    const auto& [name, bots, format, told] = GetParam();
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
    const auto column = withdrawn_column(written.csv);
    ASSERT_EQ(column.size(), bots);
    for (const auto& [of, cell] : column) EXPECT_EQ(cell, told && of == bot ? reason : "") << of;
}

INSTANTIATE_TEST_SUITE_P(
    Formats, Withdrawn,
    ::testing::Values(Case{"swiss", 6, R"({"kind": "swiss", "rounds": 4})", true},
                      Case{"swiss_at_its_end", 6, R"({"kind": "swiss", "rounds": 2})", false},
                      Case{"round_robin", 4, R"({"kind": "round_robin"})", true},
                      Case{"round_robin_at_its_end", 3, R"({"kind": "round_robin"})", false}),
    [](const auto& tested) { return tested.param.name; });

// Whom the last bot would have met first gains nothing by it, and nobody is compared by fewer
// matches than others.
TEST(WithdrawnBots, WhereTheConfigDropsThemTheirMatchesCountForNobody) {
    const std::string members = R"("game": "walls", "format": {"kind": "round_robin"})";
    const PlayedConfig forfeited(4, members, without_last(4), true);
    const PlayedConfig dropped(4, members + R"(, "withdrawn": "drop")", without_last(4), true);
    const auto points_in = [](const PlayedConfig& played) {
        std::vector<std::string> points;
        for (const auto* bot : {"a", "b", "c", "d"})
            points.push_back(cell_of(played.ledger(), bot, standings::TieBreak::points));
        return points;
    };
    EXPECT_THAT(points_in(forfeited), testing::ElementsAre("2", "2", "2", "0"));
    EXPECT_THAT(points_in(dropped), testing::ElementsAre("1", "1", "1", "0"));
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
