#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"
#include "tests/referee/report/played_ledger.h"

namespace referee::report {
namespace {

using contests::GamePlan;
using standings::TieBreak;
using testing::HasSubstr;

// What matches are worth, from the text of a config to the files: three points for a win, one for a
// draw. The tables were computed by hand.

// a beats b and c; d beats a and draws with b and c; b beats c. With half points for draws, a and d
// are level.
std::vector<int> four(const GamePlan& plan) {
    static const std::map<std::pair<std::size_t, std::size_t>, int> table = {
        {{0, 1}, 2}, {{0, 2}, 2}, {{0, 3}, 0}, {{1, 2}, 2}, {{1, 3}, 1}, {{2, 3}, 1}};
    const auto first = plan.entrants[0];
    const auto second = plan.entrants[1];
    if (first < second) return {table.at({first, second}), 2 - table.at({first, second})};
    return {2 - table.at({second, first}), table.at({second, first})};
}

constexpr auto three_one = R"("win_points": 3, "draw_points": 1)";

using Column = std::vector<std::string>;

// Of the bots a, b, c ...
Column column_of(const Ledger& ledger, TieBreak tie_break) {
    Column column;
    for (const auto& entry : ledger.entries)
        column.push_back(cell_of(ledger, entry.name, tie_break));
    return column;
}

std::vector<std::size_t> ranks_of(const Ledger& ledger) {
    std::vector<std::size_t> ranks(ledger.entries.size());
    for (const auto& row : rows_of(ledger)) ranks[row.entrant] = row.rank;
    return ranks;
}

TEST(MatchPoints, ThreeOneOfARoundRobinByHand) {
    const PlayedConfig played(4,
                              R"("game": "walls", "tie_breaks": ["points", "BH", "SB", "KS", "PS"],
           "format": {"kind": "round_robin", )" +
                                  std::string(three_one) + "}",
                              four);
    const auto ledger = played.ledger();
    EXPECT_EQ(column_of(ledger, TieBreak::points), (Column{"6", "4", "1", "5"}));
    EXPECT_EQ(column_of(ledger, TieBreak::buchholz), (Column{"10", "12", "15", "11"}));
    EXPECT_EQ(column_of(ledger, TieBreak::sonneborn_berger), (Column{"15", "8", "5", "23"}));
    // Half of three wins are 4.5 points: a and d have them.
    EXPECT_EQ(column_of(ledger, TieBreak::koya), (Column{"0", "1", "1", "3"}));
    EXPECT_EQ(ranks_of(ledger), (std::vector<std::size_t>{1, 3, 4, 2}));
    EXPECT_EQ(standings_of(played.resumed()).json, standings_of(ledger).json);
}

TEST(MatchPoints, OfStagesHoldInEachThatHasNoneOfItsOwn) {
    const auto seats_of_final = [](const std::string& top, const std::string& stage) {
        const PlayedConfig played(
            4,
            R"("game": "walls", "tie_breaks": ["BH/C1", "BH", "SB"], "format": {"kind": "stages")" +
                top + R"(, "stages": [{"kind": "round_robin")" + stage +
                R"(}, {"kind": "knockout", "advance": 2}]})",
            four);
        return played.ledger().results.back().seats;
    };
    using Seats = std::vector<standings::Entrant>;
    const auto given = ", " + std::string(three_one);
    // With half points for draws d is before a by Sonneborn-Berger.
    EXPECT_EQ(seats_of_final("", ""), (Seats{3, 0}));
    EXPECT_EQ(seats_of_final(given, ""), (Seats{0, 3}));
    EXPECT_EQ(seats_of_final("", given), (Seats{0, 3}));
    EXPECT_EQ(seats_of_final(given, R"(, "win_points": 1, "draw_points": 0.5)"), (Seats{3, 0}));
}

// Level matches of knockouts: more games, then more wins, then the sum of scores, then a lot.

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
    EXPECT_THAT(standings_of(played.ledger()).text, HasSubstr("by lot"));
    EXPECT_THAT(standings_of(played.ledger()).json, HasSubstr(R"("level_by":"lot")"));
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

}  // namespace
}  // namespace referee::report
