#include <gmock/gmock.h>

#include "referee/report/ratings.h"
#include "referee/report/standings_rows.h"
#include "referee/report/tournament_texts.h"
#include "tests/referee/report/played_ledger.h"

// Ratings of a field in which a bot's program is replaced.

namespace referee::report {
namespace {

using formats::MatchResult;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::uint64_t matches_of_former = 120;

// The first bot loses all its matches from some match on, as a new version if that is told.
Twist worse(bool told) {
    return [told](MatchResult& match) {
        match.versions.assign(match.seats.size(), 0);
        if (match.match <= matches_of_former) return;
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            if (match.seats[seat] != 0) continue;
            match.versions[seat] = told ? 1 : 0;
            match.placing[seat] = 2;
            match.placing[1 - seat] = 1;
            match.points[seat] = {};
            match.points[1 - seat] = engines::Score::whole(1);
        }
    };
}

// Of what a round robin of many cycles came to, as if it had been played in that format.
Ratings rated(const formats::FormatOptions& as, bool told) {
    auto ledger = played_ledger(format_with(formats::RoundRobinOptions{.cycles = 12}),
                                formats::field_of(6), 1, lots(3), worse(told));
    ledger.config.format.options = as;
    return ratings_of(ledger);
}

TEST(NewVersions, OfALadderAreRatedByTheirOwnMatches) {
    const auto unaware = rated(formats::LadderOptions{}, false);
    const auto aware = rated(formats::LadderOptions{}, true);
    const auto& before = unaware.elo->ratings;
    const auto& after = aware.elo->ratings;
    ASSERT_EQ(after.size(), 6u);
    EXPECT_LT(*after[0].elo, *before[0].elo - 50);
    EXPECT_GT(after[0].error95, before[0].error95);
    double sum = 0;
    for (std::size_t bot = 0; bot < after.size(); ++bot) {
        sum += *after[bot].elo;
        EXPECT_EQ(after[bot].matches, before[bot].matches);
        EXPECT_EQ(aware.rated[bot], unaware.rated[bot]);
    }
    EXPECT_NEAR(sum, 0, 1e-6);
}

TEST(NewVersions, OfATournamentThatEndsAreOneEntrant) {
    const auto unaware = rated(formats::RoundRobinOptions{}, false);
    const auto aware = rated(formats::RoundRobinOptions{}, true);
    EXPECT_EQ(*aware.elo->ratings[0].elo, *unaware.elo->ratings[0].elo);
}

// The first bot plays with these programs in turn, one after so many matches of its own.
Ledger with_programs(const formats::FormatOptions& as, std::uint64_t matches_each) {
    const auto format = format_with(formats::RoundRobinOptions{.cycles = 4});
    std::uint64_t played = 0;
    auto ledger = played_ledger(format, formats::field_of(6), 1, lots(3), [&](MatchResult& match) {
        match.programs.assign(match.seats.size(), "");
        match.versions.assign(match.seats.size(), 0);
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            if (match.seats[seat] != 0) continue;
            match.versions[seat] = static_cast<std::uint32_t>(played++ / matches_each);
            match.programs[seat] = "said: " + std::to_string(match.versions[seat]);
        }
    });
    ledger.config.format.options = as;
    return ledger;
}

TEST(NewVersions, AreToldInTheStandings) {
    const auto ledger = with_programs(formats::RoundRobinOptions{}, 12);
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.statistics, HasSubstr("Another program plays for bot1 since match "));
    EXPECT_THAT(standings.statistics,
                HasSubstr(", in 8 of its 20 matches: its place and ratings are of "
                          "both; the order rerun --changed"));
    EXPECT_THAT(standings.json, HasSubstr(R"("program_changes":[{"bot":"bot1","programs":2,)"));
    EXPECT_THAT(standings_of(with_programs(formats::RoundRobinOptions{}, 20)).statistics,
                Not(HasSubstr("Another program")));
    EXPECT_THAT(standings_of(with_programs(formats::LadderOptions{}, 12)).statistics,
                HasSubstr("is a start for its ratings"));
}

// Other machines bring matches in another order than they have.
TEST(NewVersions, AreCountedInTheOrderInWhichTheyCame) {
    auto ledger = with_programs(formats::RoundRobinOptions{}, 12);
    std::uint32_t played = 0;
    for (auto& match : ledger.results) {
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            if (match.seats[seat] != 0) continue;
            match.versions[seat] = played++ % 5 < 2 ? 1 : 0;
            match.programs[seat] = "said: " + std::to_string(match.versions[seat]);
        }
    }
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.statistics, HasSubstr(", in 8 of its 20 matches: "));
    EXPECT_THAT(standings.json, HasSubstr(R"("changes":1,)"));
}

TEST(NewVersions, InEachGameAreAWarning) {
    const auto standings = standings_of(with_programs(formats::LadderOptions{}, 1));
    EXPECT_THAT(standings.statistics,
                HasSubstr("Warning: the program of bot1 changed 19 times in 20 matches"));
    EXPECT_THAT(standings.json, HasSubstr(R"("restless":true)"));
}

TEST(NewVersions, TheFigureOfALadderStandsInItsTable) {
    auto ledger = with_programs(formats::LadderOptions{}, 20);
    EXPECT_THAT(standings_of(ledger).statistics, Not(HasSubstr(" rating ")));
    ledger.figures = {1511.25, 1500, 1499, 1498, 1497, 1496};
    const auto standings = standings_of(ledger);
    EXPECT_THAT(standings.statistics, HasSubstr(" rating "));
    EXPECT_THAT(standings.statistics, HasSubstr("1511.2"));
    EXPECT_THAT(standings.statistics, HasSubstr("The ladder ranks by \"rating\""));
    EXPECT_THAT(standings.json, HasSubstr(R"("ladder_rating":1511.2)"));
    EXPECT_THAT(standings.csv, HasSubstr(",ladder_rating,"));
}

TEST(NewVersions, EachMatchOfALadderTellsTheRatingsBehindIt) {
    const auto pairings = pairings_of(with_programs(formats::LadderOptions{}, 20)).json;
    // The first match moves a newcomer by half of 32 points.
    EXPECT_THAT(pairings, HasSubstr(R"("rating":1516)"));
    EXPECT_THAT(pairings, HasSubstr(R"("rating":1484)"));
}

TEST(StandingsFiles, MatchesWithoutAGameAreNeitherDistinctNorCopies) {
    const auto format = format_with(formats::RoundRobinOptions{});
    const auto ledger =
        played_ledger(format, formats::field_of(4), 1, lots(3), [](MatchResult& match) {
            match.absent.assign(2, match.match == 1);
            if (match.match <= 2) match.absent[0] = true;
            if (match.match == 1) match.placing = {1, 1};
        });
    std::uint64_t drawn = 0;
    for (const auto& row : rows_of(ledger)) drawn += row.tally.drawn;
    EXPECT_EQ(drawn, 0U) << "nobody came to the first, and has a draw";
    const auto ratings = ratings_of(ledger);
    EXPECT_EQ(ratings.matches, 4U);
    EXPECT_EQ(ratings.distinct, 4U);
    EXPECT_EQ(ratings.gameless, 2U);
    EXPECT_THAT(standings_of(ledger).statistics,
                HasSubstr("6 matches, 2 of them without a game, by a bot that didn't come or an "
                          "arbiter; 4 distinct."));
}

}  // namespace
}  // namespace referee::report
