#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <string>

#include "protocol/base/text.h"
#include "referee/contest/formats/round_table.h"
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

TEST(BergerTables, AreThePrintedOnes) {
    for (const auto& [of, rounds] : printed) {
        // An odd field plays the next even table; the last number is the bye.
        for (const std::uint32_t players : {of - 1, of}) {
            ASSERT_EQ(berger::rounds(players), rounds.size());
            for (std::uint32_t round = 0; round < rounds.size(); ++round) {
                std::string text;
                for (std::uint32_t board = 0; board < berger::boards(players); ++board) {
                    const auto pair = berger::pair(players, round, board);
                    text += fmt::format("{}{}-{}", board == 0 ? "" : " ", pair.white, pair.black);
                }
                EXPECT_EQ(text, rounds[round]) << players << " players, round " << round + 1;
            }
        }
    }
}

std::string drawn(const FormatConfig& config, std::size_t size, std::uint64_t seed = 1) {
    const auto schedule = make_schedule(config, field_of(size), seed);
    return text_of(play(*schedule, by_number));
}

TEST(RoundRobin, HasAByeLastAndReversesTheSeatsOfASecondCycle) {
    EXPECT_EQ(drawn({}, 3), "2-3 (1) | 1-2 (3) | 3-1 (2)");
    const auto twice = config_of(RoundRobinOptions{.cycles = 2});
    EXPECT_EQ(drawn(twice, 4), "1-4 2-3 | 4-3 1-2 | 2-4 3-1 | 4-1 3-2 | 3-4 2-1 | 4-2 1-3");
    const auto swapped = config_of(RoundRobinOptions{.cycles = 2, .swap_last_rounds = true});
    EXPECT_EQ(drawn(swapped, 4), "1-4 2-3 | 2-4 3-1 | 4-3 1-2 | 4-1 3-2 | 3-4 2-1 | 4-2 1-3");
    EXPECT_EQ(drawn(swapped, 2), "1-2 | 2-1");
}

TEST(RoundRobin, LotsComeFromTheSeed) {
    auto config = config_of(RoundRobinOptions{.draw_numbers = true});
    EXPECT_EQ(drawn(config, 8, 5), drawn(config, 8, 5));
    EXPECT_NE(drawn(config, 8, 5), drawn(config, 8, 6));
    EXPECT_NE(drawn(config, 8, 5), drawn({}, 8));
}

TEST(RoundRobin, LargeFieldsAreDrawnMatchByMatch) {
    const auto schedule = make_schedule({}, field_of(5000), 1);
    EXPECT_EQ(schedule->matches_total(), 5000U * 4999 / 2);
    std::uint64_t handed_out = 0;
    while (std::holds_alternative<Pairing>(schedule->next())) ++handed_out;
    EXPECT_EQ(handed_out, 5000U * 4999 / 2);
}

// Measured for 3 to 60 bots in pods of 3 to 8: the most is 1.79 times the lower bound (28 bots in
// pods of 8), the mean 1.25.
constexpr double times_the_least = 1.8;
constexpr double times_the_least_on_average = 1.27;

// What a table of pods really does, counted match by match.
struct Counted {
    std::vector<std::uint32_t> meetings;  // of each pair
    std::vector<std::uint32_t> games;     // of each entrant
    std::uint32_t seat_spread = 0;        // most - least games in a seat, of the worst entrant
    std::uint64_t matches = 0;
};

Counted counted(const RoundTable& table, std::size_t n, std::size_t k) {
    std::vector<std::uint32_t> met(n * n, 0);
    std::vector<std::vector<std::uint32_t>> seated(n, std::vector<std::uint32_t>(k, 0));
    Counted counted{{}, std::vector<std::uint32_t>(n, 0)};
    for (std::uint64_t round = 0; round < table.rounds; ++round) {
        std::set<Entrant> of_round;
        for (std::size_t place = 0;; ++place) {
            const auto pod = table.seats(round, place);
            if (pod.empty()) break;
            if (pod.size() == 1 && k == 2) {
                EXPECT_TRUE(of_round.insert(pod[0]).second) << "a bye, and a match";
                continue;
            }
            EXPECT_EQ(pod.size(), k);
            ++counted.matches;
            for (std::size_t a = 0; a < k; ++a) {
                EXPECT_LT(pod[a], n);
                EXPECT_TRUE(of_round.insert(pod[a]).second) << "twice in a round";
                ++seated[pod[a]][a];
                ++counted.games[pod[a]];
                for (std::size_t b = 0; b < a; ++b)
                    ++met[std::max(pod[a], pod[b]) * n + std::min(pod[a], pod[b])];
            }
        }
    }
    for (std::size_t a = 0; a < n; ++a) {
        const auto [least, most] = std::ranges::minmax(seated[a]);
        counted.seat_spread = std::max(counted.seat_spread, most - least);
        for (std::size_t b = 0; b < a; ++b) counted.meetings.push_back(met[a * n + b]);
    }
    return counted;
}

// How many times as many matches as the lower bound it has.
double check_field(std::uint32_t n, std::uint32_t k, std::uint32_t cycles) {
    SCOPED_TRACE(std::to_string(n) + " in pods of " + std::to_string(k) + ", cycles " +
                 std::to_string(cycles));
    const auto table = k == 2 ? berger_table(n, cycles, false) : pod_table(n, k, cycles);
    const auto found = counted(table, n, k);
    EXPECT_GE(std::ranges::min(found.meetings), cycles);
    EXPECT_LE(std::ranges::max(found.games) - std::ranges::min(found.games), 1U);
    EXPECT_LE(found.seat_spread, 1U);
    EXPECT_EQ(found.matches, table.matches);
    const auto least = pods_least(n, k, cycles);
    EXPECT_GE(found.matches, least);
    const auto times = static_cast<double>(found.matches) / static_cast<double>(least);
    EXPECT_LE(times, times_the_least);
    return times;
}

TEST(BergerTables, EverybodyMeetsEverybodyEquallyOftenWithSeatsWithinOne) {
    for (const std::uint32_t players : {2U, 3U, 11U, 12U, 63U, 64U, 101U})
        for (const std::uint32_t cycles : {1U, 2U}) EXPECT_EQ(check_field(players, 2, cycles), 1);
}

TEST(PodCover, EverybodyMeetsEverybodyInFewMatchesSpreadEvenly) {
    for (const std::uint32_t cycles : {1U, 2U, 3U}) {
        double sum = 0;
        int fields = 0;
        for (std::uint32_t k = 3; k <= 8; ++k) {
            for (std::uint32_t n = k; n <= 60; ++n) {
                sum += check_field(n, k, cycles);
                ++fields;
            }
        }
        EXPECT_LE(sum / fields, times_the_least_on_average) << cycles;
    }
}

TEST(PodCover, ThreeHundredNeedAnEighthMoreThanTheLeast) {
    EXPECT_LE(check_field(300, 4, 1), 1.18);
}

TEST(PodCover, TheLowerBoundIsSchoenheims) {
    EXPECT_EQ(pods_least(3, 3, 1), 1U);
    EXPECT_EQ(pods_least(7, 3, 1), 7U) << "the Fano plane";
    EXPECT_EQ(pods_least(13, 4, 1), 13U) << "the projective plane of order 3";
    EXPECT_EQ(pods_least(5, 4, 1), 3U);
    EXPECT_EQ(pods_least(7, 3, 2), 14U);
}

TEST(PodCover, ATournamentThatWouldNeverEndIsRefused) {
    const GameSeats game{.fewest = 2, .most = 8};
    const auto errors_of = [&](std::uint32_t cycles) {
        return check_format(config_of(RoundRobinOptions{.seats = 4, .cycles = cycles}),
                            field_of(40), game);
    };
    EXPECT_TRUE(errors_of(700).empty());
    ASSERT_EQ(errors_of(800).size(), 1U);
    EXPECT_EQ(errors_of(800).front().message,
              "a round robin of 40 bots in pods of 4 would need at least 104000 matches, and at "
              "most 100000 are possible; fewer cycles or a Swiss tournament need fewer");
}

}  // namespace
}  // namespace referee::formats
