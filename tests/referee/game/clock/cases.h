#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "protocol/base/split_mix.h"
#include "referee/game/clock/seat_clock.h"

// What the tables of the seat clock's tests are made of.

namespace referee::clock {

using namespace std::chrono_literals;

inline const ClockConfig turn_of_100ms{.kind = ClockKind::turn, .budget = 100ms};

enum class Ends : std::uint8_t { answered, expired };

struct Verdict {
    Duration charged{};
    Duration allowed{};
    Duration waited{};
    Duration corrected{};
    Duration doubted{};
    bool late = false, hung = false, flag = false;
};

struct Case {
    const char* what;
    Spent spent;
    Verdict verdict;
    ClockConfig config = turn_of_100ms;
    Ends ends = Ends::answered;
};

inline void check(const std::vector<Case>& cases) {
    for (const auto& [what, spent, verdict, config, ends] : cases) {
        SeatClock clock(config);
        const auto charge = ends == Ends::answered ? clock.answered(spent) : clock.expired(spent);
        EXPECT_EQ(charge.charged, verdict.charged) << what;
        EXPECT_EQ(charge.allowed, verdict.allowed) << what;
        EXPECT_EQ(charge.waited, verdict.waited) << what;
        EXPECT_EQ(charge.corrected, verdict.corrected) << what;
        EXPECT_EQ(charge.doubted, verdict.doubted) << what;
        EXPECT_EQ(charge.late, verdict.late) << what;
        EXPECT_EQ(charge.hung, verdict.hung) << what;
        EXPECT_EQ(charge.flag, verdict.flag) << what;
        EXPECT_EQ(clock.used(), charge.charged) << what;
    }
}

// The same numbers on every machine.
class Numbers {
 public:
    Duration up_to(Duration most) {
        return Duration(
            static_cast<Duration::rep>(mix_.next() % static_cast<std::uint64_t>(most.count() + 1)));
    }

 private:
    base::SplitMix mix_{1};
};

// A clock of each kind.
inline const std::vector<ClockConfig> all_sorts{
    turn_of_100ms,
    {.budget = 100ms, .hard_limit = 30ms},
    {.budget = 50ms, .waits_for_late = true, .hung_after = 500ms},
    {.kind = ClockKind::game, .budget = 2s, .increment = 10ms, .hard_limit = 150ms},
    {.kind = ClockKind::none, .hard_limit = 100ms},
    {.measure = Measure::cpu, .budget = 20ms, .hard_limit = 100ms},
    {.budget = 100ms, .allowance = false},
};

}  // namespace referee::clock
