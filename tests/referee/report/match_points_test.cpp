#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engines/registry.h"
#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"
#include "tests/referee/config/config_reading.h"
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

std::string walls(const std::string& format, const std::string& more = "") {
    return R"("game": "walls", "format": {)" + format + ", " + three_one + "}" + more;
}

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
    const PlayedConfig played(
        4,
        walls(R"("kind": "round_robin")", R"(, "tie_breaks": ["points", "BH", "SB", "KS", "PS"])"),
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

TEST(MatchPoints, ThreeOneOfAGauntletAndInTheTableOfAKnockout) {
    const PlayedConfig gauntlet(4, walls(R"("kind": "gauntlet", "cycles": 2)"), four);
    EXPECT_EQ(column_of(gauntlet.ledger(), TieBreak::points), (Column{"12", "0", "0", "6"}));
    const PlayedConfig knockout(4, walls(R"("kind": "knockout", "third_place_match": false)"),
                                [](const GamePlan& plan) {
                                    const int first = plan.entrants[0] < plan.entrants[1] ? 2 : 0;
                                    return std::vector{first, 2 - first};
                                });
    EXPECT_EQ(column_of(knockout.ledger(), TieBreak::points), (Column{"6", "3", "0", "0"}));
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

// In pods a bot gets the points for each bot that is behind it or level with it.
TEST(MatchPoints, ThreeOneOfPodsByHand) {
    for (const std::string match :
         {R"("match": {"games": 1})", R"("match": {"games": 2, "points": "result"})"}) {
        const PlayedConfig played(4,
                                  R"("game": "light_cycles", "format": {"kind": "round_robin", )" +
                                      std::string(three_one) + "}, " + match,
                                  [](const GamePlan& plan) {
                                      std::vector<int> scores;
                                      // a first, b and c level, d last
                                      for (const auto entrant : plan.entrants)
                                          scores.push_back(std::vector<int>{3, 1, 1, 0}[entrant]);
                                      return scores;
                                  });
        const auto ledger = played.ledger();
        const auto matches = static_cast<int>(ledger.results.size());
        ASSERT_GE(matches, 1);
        const auto times = [&](int points) { return std::to_string(points * matches); };
        EXPECT_EQ(column_of(ledger, TieBreak::points), (Column{times(9), times(4), times(4), "0"}));
    }
}

// Some come late, leave, sit a round out, or never come.
std::vector<int> drawn_by_lots(const GamePlan& plan) {
    const auto first = plan.entrants[0];
    const auto second = plan.entrants[1];
    const auto lot = static_cast<int>((first * 5 + second * 3 + plan.key.match * 7) % 4);
    if (plan.key.match % 7 == 3) return {2, -1};
    if (plan.key.match % 11 == 5) return {-1, -1};
    if (lot == 3) return {1, 1};
    return lot == 0   ? std::vector<int>{2, 0}
           : lot == 1 ? std::vector<int>{0, 2}
                      : std::vector<int>{1, 1};
}

// Of a Swiss with everything: 3 for a win and for a bye, 1 for a draw and for a bye asked for.
TEST(MatchPoints, ThreeOneOfASwissWithByesAndForfeits) {
    for (const std::string more : {"", R"(, "bye_points": 1)", R"(, "accelerated": true)"}) {
        const PlayedConfig played(
            9,
            R"("game": "walls", "seed": 5, "match": {"games": 1}, "tie_breaks":
            ["PTS", "DE", "BH", "BH/C1", "BH/M1", "SB", "SB/C1", "PS", "WIN", "WON", "REP", "AOB", "FB", "KS"],
            "bots": ["a", "b", {"name": "c", "first_round": 2}, {"name": "d", "last_round": 3},
                     {"name": "e", "half_point_byes": [2]}, "f", "g", "h", "i"],
            "format": {"kind": "swiss", "rounds": 5, )" +
                std::string(three_one) + more + "}",
            drawn_by_lots);
        const auto ledger = played.ledger();
        std::map<standings::Entrant, std::int64_t> points;
        std::size_t forfeits = 0;
        for (const auto& match : ledger.results) {
            forfeits += match.forfeit() ? 1U : 0U;
            for (std::size_t seat = 0; seat < 2; ++seat) {
                const bool level = match.placing[0] == match.placing[1];
                const std::int64_t worth = level ? 1 : match.placing[seat] == 1 ? 3 : 0;
                points[match.seats[seat]] += match.absent[seat] ? 0 : worth;
            }
        }
        EXPECT_GE(forfeits, 2U);
        for (const auto& bye : ledger.byes) {
            if (bye.kind == standings::ByeKind::half_point) points[bye.entrant] += 1;
            if (bye.kind == standings::ByeKind::pairing)
                points[bye.entrant] += more.find("bye_points") == std::string::npos ? 3 : 1;
        }
        for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
            EXPECT_EQ(cell_of(ledger, ledger.entries[i].name, TieBreak::points),
                      std::to_string(points[i]));
        }
        EXPECT_EQ(standings_of(played.resumed()).json, standings_of(ledger).json);
        const auto text = trf_file_of(ledger);
        ASSERT_TRUE(text);
        EXPECT_THAT(*text, HasSubstr("162"));
        EXPECT_THAT(*text, Not(HasSubstr("299"))) << "points are those of 162\n" << *text;
        expect_told_by_trf(ledger, *text);
    }
}

// Who wins a match of Light Cycles in two games gets no fewer points than who needs three.
TEST(MatchPoints, ABestOfThreeWonQuicklyIsWorthAsMuch) {
    for (const std::size_t bots : {3U, 4U}) {
        const PlayedConfig played(
            bots,
            R"("game": "light_cycles", "format": {"kind": "round_robin", "cycles": 2, "seats": )" +
                std::to_string(bots) + "}",
            [](const GamePlan& plan) {
                std::vector<int> scores;
                // a wins, and loses the second game of every other match to b.
                const bool lost = plan.key.number == 2 && plan.key.match % 2 == 0;
                const std::vector<int> usual = {3, 2, 1, 0};
                for (const auto entrant : plan.entrants)
                    scores.push_back(lost && entrant < 2 ? usual[1 - entrant] : usual[entrant]);
                return scores;
            });
        const auto ledger = played.ledger();
        std::map<std::uint32_t, std::set<std::int64_t>> points_of_winner;
        for (const auto& match : ledger.results) {
            const auto best = std::find(match.placing.begin(), match.placing.end(), 1);
            const auto seat = static_cast<std::size_t>(best - match.placing.begin());
            points_of_winner[match.games].insert(match.points[seat].in_halves());
        }
        ASSERT_EQ(points_of_winner.size(), 2U) << "matches of two and of three games";
        EXPECT_EQ(points_of_winner[2], points_of_winner[3]);
    }
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
    contests::Contest contest(config, *registry.find("walls"));
    const auto play = [&contest](const std::vector<int>& scores) {
        const auto plan = contest.take(0);
        auto result = contest.finished(told(plan, scores));
        contest.committed(contest.changes());
        return result;
    };
    contest.begin({{.name = "a"}, {.name = "b"}}, "{}", "test");
    contest.draw(1);
    contest.committed(contest.changes());
    play({2, 0});
    play({0, 2});
    ASSERT_EQ(contest.waiting().size(), 1U);
    contest.carry_out(contest.annul({"t", 1, 1, 1}, "a cable was loose").value());
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
