// A bot's waits for a core: the arithmetic. core_wait_calm_test.cpp holds the kernel's counters
// against the bot's own clocks.

#include "referee/launch/process/core_wait.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace referee::process {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

TEST(CoreWait, only_what_nothing_of_the_bot_can_have_caused_is_certain) {
    struct Case {
        const char* what;
        BotCpuTimes before;
        BotCpuTimes now;
        milliseconds wall;
        milliseconds certain;
    };
    const BotCpuTimes alone{{{7, {}}}, 0ms};
    const BotCpuTimes beside{{{7, {}}, {8, {}}}, 0ms};
    const std::vector<Case> cases = {
        {"one thread", {{{7, {10ms, 5ms}}}, 10ms}, {{{7, {45ms, 101ms}}}, 45ms}, 131ms, 96ms},
        {"nothing waited", alone, {{{7, {30ms, 0ms}}}, 30ms}, 100ms, 0ms},
        {"behind its own thread",
         beside,
         {{{7, {50ms, 50ms}}, {8, {50ms, 50ms}}}, 100ms},
         100ms,
         0ms},
        {"partly behind its own child, which is dead by now",
         alone,
         {{{7, {20ms, 80ms}}}, 50ms},
         100ms,
         50ms},
        {"several threads wait at once: once",
         beside,
         {{{7, {10ms, 60ms}}, {8, {10ms, 40ms}}}, 20ms},
         80ms,
         50ms},
        {"a thread that was born in the turn",
         {{{7, {5ms, 1ms}}}, 5ms},
         {{{7, {5ms, 1ms}}, {9, {10ms, 30ms}}}, 15ms},
         45ms,
         30ms},
        {"a wait that ended after the answer", alone, {{{7, {20ms, 90ms}}}, 20ms}, 60ms, 40ms},
        {"a wait that had begun 80 ms before the turn",
         {{{7, {30ms, 5ms}}}, 30ms},
         {{{7, {90ms, 125ms}}}, 90ms},
         100ms,
         40ms},
        {"such a wait behind its own thread",
         beside,
         {{{7, {70ms, 5ms}}, {8, {10ms, 170ms}}}, 80ms},
         100ms,
         20ms},
        {"such a wait of a thread that did nothing else, while another slept",
         beside,
         {{{7, {5ms, 0ms}}, {8, {1ms, 900ms}}}, 6ms},
         100ms,
         94ms},
        {"more processor time than wall time",
         beside,
         {{{7, {90ms, 5ms}}, {8, {90ms, 5ms}}}, 180ms},
         100ms,
         0ms},
        {"nothing lives", alone, {{}, 20ms}, 100ms, 0ms},
        {"launched anew, with counters of its own",
         {{{7, {50ms, 50ms}}}, 500ms},
         {{{8, {10ms, 30ms}}}, 10ms},
         100ms,
         30ms},
    };
    for (const auto& [what, before, now, wall, certain] : cases) {
        CoreWait wait;
        wait.begin(before);
        SCOPED_TRACE(what);
        EXPECT_EQ(wait.wait_min(now, wall), certain);
        EXPECT_LE(wait.wait_min(now, wall),
                  std::max<nanoseconds>(wall - (now.used - before.used), 0ms));
        EXPECT_EQ(wait.wait_max(now, wall), certain) << "it sleeps";
    }
}

TEST(CoreWait, of_a_bot_that_wants_to_run_may_last_still) {
    CoreWait wait;
    wait.begin({{{7, {10ms, 0ms}}}, 10ms});
    BotCpuTimes now{{{7, {30ms, 0ms}}}, 30ms};
    now.threads[7].runs_or_waits = true;
    EXPECT_EQ(wait.wait_max(now, 200ms), 180ms) << "all in which it did not run";
    EXPECT_EQ(wait.wait_min(now, 200ms), 0ms);
    EXPECT_EQ(wait.wait_max(now, 300ms), 280ms) << "nor since then";
    now.threads[7].runs_or_waits = false;
    EXPECT_EQ(wait.wait_max(now, 400ms), 0ms) << "it sleeps";
    now.threads[7].runs_or_waits = true;
    EXPECT_EQ(wait.wait_max(now, 450ms), 50ms) << "it has slept till then";
    now.threads[7].ran += 1ms;
    now.threads[7].waited += 30ms;
    now.used += 1ms;
    EXPECT_EQ(wait.wait_max(now, 490ms), 70ms) << "that is counted by now, and a new one may last";
    wait.begin(now);
    EXPECT_EQ(wait.wait_max(now, 15ms), 15ms) << "another turn";
}

TEST(CoreWait, of_a_thread_that_has_ended_is_certain_as_far_as_it_was_looked_at) {
    CoreWait wait;
    wait.begin({{{7, {10ms, 0ms}}}, 10ms});
    const BotCpuTimes compiling{{{7, {20ms, 0ms}}, {8, {40ms, 300ms}}}, 60ms};
    EXPECT_EQ(wait.wait_max(compiling, 400ms), 290ms);
    const BotCpuTimes compiled{{{7, {20ms, 0ms}}}, 100ms};
    EXPECT_EQ(wait.wait_min(compiled, 500ms), 290ms);
    const BotCpuTimes busy{{{7, {390ms, 0ms}}}, 470ms};
    EXPECT_EQ(wait.wait_min(busy, 500ms), 40ms) << "the rest is what it used";
    wait.begin(compiled);
    EXPECT_EQ(wait.wait_min(compiled, 500ms), 0ms) << "another turn";
}

// Under a limit of 100 ms, which waits may prolong.
TEST(CoreWait, who_sleeps_and_wakes_for_the_looks_gains_the_time_between_two_of_them) {
    CoreWait wait;
    BotCpuTimes now{{{7, {0ms, 0ms, true}}}, 0ms};
    wait.begin(now);
    auto until = nanoseconds(100ms);
    for (auto at = nanoseconds(0ms); at < until;) {
        at = until;
        now.threads[7].ran += 1ms;
        now.used += 1ms;
        until = 100ms + wait.wait_max(now, at);
    }
    EXPECT_EQ(until, 199ms);
}

}  // namespace
}  // namespace referee::process
