#include "referee/contest/formats/round_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

struct PrintedTable {
    std::uint32_t players;
    std::vector<std::string> rounds;
};

// FIDE C.05, annex 1, as printed.
const std::vector<PrintedTable> printed = {
    {4, {"1-4 2-3", "4-3 1-2", "2-4 3-1"}},
    {6, {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"}},
    {8,
     {"1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7",
      "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"}},
    {10,
     {"1-10 2-9 3-8 4-7 5-6", "10-6 7-5 8-4 9-3 1-2", "2-10 3-1 4-9 5-8 6-7",
      "10-7 8-6 9-5 1-4 2-3", "3-10 4-2 5-1 6-9 7-8", "10-8 9-7 1-6 2-5 3-4",
      "4-10 5-3 6-2 7-1 8-9", "10-9 1-8 2-7 3-6 4-5", "5-10 6-4 7-3 8-2 9-1"}},
};

std::string round_text(std::uint32_t players, std::uint32_t round) {
    std::ostringstream text;
    for (std::uint32_t board = 0; board < berger::boards(players); ++board) {
        const auto pair = berger::pair(players, round, board);
        text << (board == 0 ? "" : " ") << pair.white << '-' << pair.black;
    }
    return text.str();
}

TEST(BergerTables, AreThePrintedOnes) {
    for (const auto& table : printed) {
        // An odd field plays the next even table; the last number is the bye.
        for (const std::uint32_t players : {table.players - 1, table.players}) {
            ASSERT_EQ(berger::rounds(players), table.rounds.size());
            for (std::uint32_t round = 0; round < table.rounds.size(); ++round) {
                EXPECT_EQ(round_text(players, round), table.rounds[round])
                    << players << " players, round " << round + 1;
            }
        }
    }
}

TEST(BergerTables, TwoPlayersMeetOnce) {
    EXPECT_EQ(round_text(2, 0), "1-2");
}

TEST(BergerTables, EverybodyMeetsEverybodyOnceWithSeatsWithinOne) {
    for (const std::uint32_t players : {2U, 3U, 11U, 12U, 63U, 64U, 101U}) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> met;
        std::map<std::uint32_t, int> whites;
        for (std::uint32_t round = 0; round < berger::rounds(players); ++round) {
            std::set<std::uint32_t> seen;
            for (std::uint32_t board = 0; board < berger::boards(players); ++board) {
                const auto [white, black] = berger::pair(players, round, board);
                EXPECT_TRUE(seen.insert(white).second && seen.insert(black).second);
                EXPECT_TRUE(met.insert(std::minmax(white, black)).second);
                if (white <= players && black <= players) {
                    ++whites[white];
                    --whites[black];
                }
            }
        }
        const std::size_t with_bye = players + players % 2;
        EXPECT_EQ(met.size(), with_bye * (with_bye - 1) / 2);
        for (std::uint32_t player = 1; player <= players; ++player) {
            EXPECT_LE(std::abs(whites[player]), 1) << players << ": " << player;
        }
    }
}

std::string drawn(const FormatConfig& config, std::size_t size, std::uint64_t seed = 1) {
    const auto schedule = make_schedule(config, field_of(size), seed);
    return text_of(play(*schedule, by_number));
}

TEST(RoundRobin, OddFieldsHaveAByeLast) {
    EXPECT_EQ(drawn({}, 3), "2-3 (1) | 1-2 (3) | 3-1 (2)");
}

TEST(RoundRobin, SecondCycleReversesSeats) {
    FormatConfig config;
    auto& options = config.options.emplace<RoundRobinOptions>();
    options.cycles = 2;
    EXPECT_EQ(drawn(config, 4), "1-4 2-3 | 4-3 1-2 | 2-4 3-1 | 4-1 3-2 | 3-4 2-1 | 4-2 1-3");
    options.swap_last_rounds = true;
    EXPECT_EQ(drawn(config, 4), "1-4 2-3 | 2-4 3-1 | 4-3 1-2 | 4-1 3-2 | 3-4 2-1 | 4-2 1-3");
    EXPECT_EQ(drawn(config, 2), "1-2 | 2-1");
}

TEST(RoundRobin, LotsComeFromTheSeed) {
    auto config = config_of(RoundRobinOptions{.draw_numbers = true});
    EXPECT_EQ(drawn(config, 8, 5), drawn(config, 8, 5));
    EXPECT_NE(drawn(config, 8, 5), drawn(config, 8, 6));
    EXPECT_NE(drawn(config, 8, 5), drawn({}, 8));
}

TEST(RoundRobin, IsFinishedOnlyWhenAllResultsAreIn) {
    const auto schedule = make_schedule({}, field_of(2), 1);
    EXPECT_EQ(schedule->matches_total(), 1U);
    const auto pairing = std::get<Pairing>(schedule->next());
    EXPECT_TRUE(std::holds_alternative<Schedule::Wait>(schedule->next()));
    MatchResult result;
    result.match = pairing.match;
    schedule->record(result);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
}

TEST(RoundRobin, LargeFieldsAreDrawnMatchByMatch) {
    const auto schedule = make_schedule({}, field_of(5000), 1);
    EXPECT_EQ(schedule->matches_total(), 5000U * 4999 / 2);
    std::uint64_t handed_out = 0;
    while (std::holds_alternative<Pairing>(schedule->next())) ++handed_out;
    EXPECT_EQ(handed_out, 5000U * 4999 / 2);
}

}  // namespace
}  // namespace referee::formats
