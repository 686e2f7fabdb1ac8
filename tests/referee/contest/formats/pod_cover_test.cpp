#include "referee/contest/formats/round_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace referee::formats {
namespace {

// Measured for 3 to 60 bots in pods of 3 to 8: the most is 1.79 times the lower bound (28 bots in
// pods of 8), the mean 1.25.
constexpr double times_the_least = 1.8;
constexpr double times_the_least_on_average = 1.27;

struct Count {
    std::uint32_t least = UINT32_MAX;
    std::uint32_t most = 0;
    void see(std::uint32_t number) {
        least = std::min(least, number);
        most = std::max(most, number);
    }
};

// What a table of pods really does, counted match by match.
struct Counted {
    Count meetings;                 // of each pair
    Count games;                    // of each entrant
    std::uint32_t seat_spread = 0;  // most - least games in a seat, of the worst entrant
    std::uint64_t matches = 0;
};

Counted counted(const RoundTable& table, std::size_t n, std::size_t k) {
    std::vector<std::uint32_t> met(n * n, 0);
    std::vector<std::uint32_t> seated(n * k, 0);
    Counted counted;
    for (std::uint64_t round = 0; round < table.rounds(); ++round) {
        std::set<Entrant> of_round;
        for (std::size_t place = 0; place < table.places(round); ++place) {
            const auto pod = table.seats(round, place);
            EXPECT_EQ(pod.size(), k);
            ++counted.matches;
            for (std::size_t a = 0; a < k; ++a) {
                EXPECT_LT(pod[a], n);
                EXPECT_TRUE(of_round.insert(pod[a]).second) << "twice in a round";
                ++seated[pod[a] * k + a];
                for (std::size_t b = 0; b < k; ++b) met[pod[a] * n + pod[b]] += a == b ? 0 : 1;
            }
        }
    }
    for (std::size_t a = 0; a < n; ++a) {
        Count seats;
        std::uint32_t games = 0;
        for (std::size_t seat = 0; seat < k; ++seat) {
            seats.see(seated[a * k + seat]);
            games += seated[a * k + seat];
        }
        counted.games.see(games);
        counted.seat_spread = std::max(counted.seat_spread, seats.most - seats.least);
        for (std::size_t b = 0; b < a; ++b) counted.meetings.see(met[a * n + b]);
    }
    return counted;
}

// How many times as many matches as the lower bound it has.
double check_field(std::uint32_t n, std::uint32_t k, std::uint32_t cycles) {
    SCOPED_TRACE(std::to_string(n) + " in pods of " + std::to_string(k) + ", cycles " +
                 std::to_string(cycles));
    const auto table = pod_table(n, k, cycles);
    const auto found = counted(*table, n, k);
    EXPECT_GE(found.meetings.least, cycles);
    EXPECT_LE(found.games.most - found.games.least, 1U);
    EXPECT_LE(found.seat_spread, 1U);
    EXPECT_EQ(found.matches, table->matches_total());
    const auto least = pods_least(n, k, cycles);
    EXPECT_GE(found.matches, least);
    const auto times = static_cast<double>(found.matches) / static_cast<double>(least);
    EXPECT_LE(times, times_the_least);
    return times;
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

TEST(PodCover, WhereOneMatchSeatsAllThereIsOneForEachCycle) {
    EXPECT_EQ(pod_cover(4, 4, 1).size(), 1U);
    EXPECT_EQ(pod_cover(4, 4, 3).size(), 3U);
}

TEST(PodCover, ATournamentThatWouldNeverEndIsRefused) {
    auto options = RoundRobinOptions{};
    options.seats = 4;
    FormatConfig format;
    std::vector<Entry> field(40);
    for (std::size_t i = 0; i < field.size(); ++i) field[i].name = "bot" + std::to_string(i);
    const GameSeats game{.fewest = 2, .most = 8};
    options.cycles = 700;
    format.options = options;
    EXPECT_TRUE(check_format(format, field, game).empty());
    options.cycles = 800;
    format.options = options;
    const auto errors = check_format(format, field, game);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().message,
              "a round robin of 40 bots in pods of 4 would need at least 104000 matches, and at "
              "most 100000 are possible; fewer cycles or a Swiss tournament need fewer");
}

}  // namespace
}  // namespace referee::formats
