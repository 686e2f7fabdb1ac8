#include "referee/game/clock/seat_clock.h"

#include <gtest/gtest.h>

#include "protocol/base/split_mix.h"

namespace referee::clock {
namespace {

using namespace std::chrono_literals;

class Draws {
 public:
    explicit Draws(std::uint64_t seed) : mix_(seed) {}
    Duration below(Duration most) {
        return Duration(
            static_cast<std::int64_t>(mix_.next() % static_cast<std::uint64_t>(most.count())));
    }

 private:
    base::SplitMix mix_;
};

// Times to the nanosecond, of turns that are early, close, in doubt and late.
TEST(ToldChargeTest, WhatIsToldAddsUpToTheWallTime) {
    Draws draws(7);
    constexpr int turns = 20'000;
    for (const auto kind : {ClockKind::turn, ClockKind::game, ClockKind::none}) {
        SeatClock clock({.kind = kind, .budget = kind == ClockKind::game ? Duration(24h) : 50ms});
        int doubted = 0;
        for (int i = 0; i < turns; ++i) {
            Spent spent;
            spent.wall = draws.below(90ms);
            spent.doubt = draws.below(3ms);
            spent.path.least = draws.below(8ms);
            spent.path.most = spent.path.least + draws.below(5ms);
            spent.stalled = draws.below(6ms);
            spent.waited = draws.below(6ms);
            const auto charge = clock.answered(spent);
            const auto told = as_told(charge);
            ASSERT_EQ(told.charged_us + told.allowed_us + told.waited_us + told.corrected_us +
                          told.doubted_us,
                      told.wall_us)
                << i;
            ASSERT_EQ(told.charged_us, in_us(charge.charged)) << "what is booked";
            ASSERT_EQ(told.wall_us, in_us(spent.wall));
            for (const auto& [part, exact] : {std::pair(told.allowed_us, charge.allowed),
                                              std::pair(told.waited_us, charge.waited),
                                              std::pair(told.corrected_us, charge.corrected),
                                              std::pair(told.doubted_us, charge.doubted)}) {
                ASSERT_GE(part, in_us(exact));
                ASSERT_LE(part, in_us(exact) + 1);
            }
            doubted += charge.doubted > Duration::zero() ? 1 : 0;
        }
        if (kind == ClockKind::turn) {
            EXPECT_GT(doubted, turns / 100);
        }
    }
}

TEST(ToldChargeTest, JitterIsToldWhereItMatters) {
    struct Row {
        const char* what;
        Duration wall;
        std::int64_t jitter_us;
    };
    for (const auto& [what, wall, jitter_us] :
         {Row{"early", 40ms, 0}, Row{"just below nine tenths", 46'999us, 0},
          Row{"nine tenths", 47ms, 3'000}, Row{"in doubt", 54ms, 3'000},
          Row{"late", 56ms, 3'000}}) {
        SeatClock clock({.budget = 50ms});
        const auto charge = clock.answered({.wall = wall, .path = {2ms, 5ms}});
        EXPECT_EQ(as_told(charge).jitter_us, jitter_us) << what;
    }
}

// The way had 7 ms when the turn was sent; the new connection has 10.
TEST(ToldChargeTest, TheAllowanceIsTheMostOfThisTurn) {
    SeatClock clock({.budget = 50ms});
    const auto charge =
        clock.answered({.wall = 30ms, .path = Path::exact(7ms), .round_trip = 10ms});
    EXPECT_EQ(charge.round_trip, 10ms);
    EXPECT_EQ(charge.allowance, 7ms);
    SeatClock quick({.budget = 50ms});
    EXPECT_EQ(quick.answered({.wall = 3ms, .path = Path::exact(7ms)}).allowance, 7ms)
        << "though less was needed";
}

TEST(DoubtsTest, ManyAreMoreThanATenthOfTwentyTurns) {
    struct Row {
        int turns;
        int by_doubt;
        bool many;
    };
    for (const auto& [turns, by_doubt, many] :
         {Row{19, 19, false}, Row{20, 2, false}, Row{20, 3, true}, Row{100, 10, false}}) {
        Doubts doubts;
        for (int i = 0; i < turns; ++i) {
            Charge charge;
            if (i < by_doubt) charge.doubted = 4ms;
            doubts.count(charge);
        }
        EXPECT_EQ(doubts.many(), many) << by_doubt << " of " << turns;
    }
    Doubts doubts;
    doubts.count({.doubted = 4ms});
    doubts.count({.doubted = 4ms, .late = true});
    doubts.count({});
    EXPECT_EQ(describe(doubts),
              "1 of 3 turns were in time only by doubt, 4.000 ms taken off in all");
}

}  // namespace
}  // namespace referee::clock
