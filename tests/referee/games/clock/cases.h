#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "referee/games/clock/seat_clock.h"

// What the tables of the seat clock's tests are made of.

namespace referee::clock {

using namespace std::chrono_literals;

inline const ClockConfig turn_of_100ms{.kind = ClockKind::turn, .budget = 100ms};

enum class Ends : std::uint8_t { answered, expired };

struct Verdict {
    Duration charged{};
    Duration allowed{};
    Duration corrected{};
    bool late = false, hung = false, flag = false;
};

struct Case {
    const char* what;
    ClockConfig config;
    Ends ends;
    Spent spent;
    Verdict verdict;
};

inline void check(const std::vector<Case>& cases) {
    for (const auto& [what, config, ends, spent, verdict] : cases) {
        SeatClock clock(config);
        const auto charge = ends == Ends::answered ? clock.answered(spent) : clock.expired(spent);
        EXPECT_EQ(charge.charged, verdict.charged) << what;
        EXPECT_EQ(charge.allowed, verdict.allowed) << what;
        EXPECT_EQ(charge.corrected, verdict.corrected) << what;
        EXPECT_EQ(charge.late, verdict.late) << what;
        EXPECT_EQ(charge.hung, verdict.hung) << what;
        EXPECT_EQ(charge.flag, verdict.flag) << what;
        EXPECT_EQ(clock.used(), charge.charged) << what;
    }
}

}  // namespace referee::clock
