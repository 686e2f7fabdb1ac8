#include "referee/contests/tournament/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "referee/contests/tournament/round_table.h"

namespace referee::tournament {
namespace {

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
        for (std::size_t place = 0; place < table.places(round); ++place) {
            const auto pod = table.seats(round, place);
            EXPECT_EQ(pod.size(), k);
            EXPECT_EQ(std::set<Entrant>(pod.begin(), pod.end()).size(), k);
            ++counted.matches;
            for (std::size_t a = 0; a < k; ++a) {
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

TEST(Designs, EverybodyMeetsEverybodyEquallyOftenInEqualSeats) {
    struct Case {
        std::size_t k;
        std::size_t from;
        std::size_t to;
    };
    for (const auto& [k, from, to] :
         {Case{3, 3, 20}, Case{4, 4, 40}, Case{5, 5, 20}, Case{6, 6, 18}, Case{8, 8, 16}}) {
        for (std::size_t n = from; n <= to; ++n) {
            const auto table = design_table(n, k, 0, 1);
            const auto found = counted(*table, n, k);
            EXPECT_EQ(found.meetings.least, found.meetings.most) << n << " in pods of " << k;
            EXPECT_EQ(found.games.least, found.games.most) << n << " in pods of " << k;
            EXPECT_LE(found.seat_spread, 1U) << n << " in pods of " << k;
            EXPECT_EQ(found.matches, table->matches_total());
        }
    }
}

TEST(Designs, FoursMeetOnceWhereverThatIsPossible) {
    for (std::uint32_t n = 4; n <= 64; ++n) {
        if (n % 12 != 1 && n % 12 != 4) continue;
        const auto found = counted(*design_table(n, 4, 1, 1), n, 4);
        EXPECT_EQ(found.meetings.most, 1U) << n;
        EXPECT_EQ(found.meetings.least, 1U) << n;
        EXPECT_EQ(found.matches, n * (n - 1) / 12) << n;
    }
}

TEST(Designs, OtherwiseMeetingsAreWithinOne) {
    for (const std::uint32_t n : {5U, 6U, 8U, 9U, 11U, 14U, 20U, 31U, 50U, 99U}) {
        for (const std::uint32_t meetings : {1U, 2U, 3U}) {
            const auto found = counted(*design_table(n, 4, meetings, 1), n, 4);
            EXPECT_GE(found.meetings.least, meetings) << n;
            EXPECT_LE(found.meetings.most, found.meetings.least + 1) << n;
            EXPECT_EQ(found.games.least, found.games.most) << n;
            EXPECT_LE(found.seat_spread, 1U) << n;
        }
    }
}

TEST(Designs, CyclesKeepSeatsWithinOne) {
    for (const std::uint32_t n : {4U, 8U, 13U, 16U, 40U}) {
        for (const std::uint32_t cycles : {2U, 3U, 5U}) {
            EXPECT_LE(counted(*design_table(n, 4, 0, cycles), n, 4).seat_spread, 1U) << n;
        }
    }
}

TEST(Designs, LargeFieldsNeedNoSearchAndFewNumbers) {
    const auto design = design_for(1001 + 6, 4, 0);  // 1007 = 19 * 53
    EXPECT_TRUE(design.balanced());
    EXPECT_EQ(design.blocks(), 1007U * 1006 / 2);
    EXPECT_EQ(design.orbits.size(), 503U);
    const auto table = design_table(600, 4, 1, 1);
    const auto nearly = counted(*table, 600, 4);
    EXPECT_EQ(nearly.meetings.least, 1U);
    EXPECT_EQ(nearly.meetings.most, 2U);
    EXPECT_EQ(nearly.seat_spread, 0U);
}

}  // namespace
}  // namespace referee::tournament
