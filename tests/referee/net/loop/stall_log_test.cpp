#include "referee/net/loop/loop_watch.h"

#include <gtest/gtest.h>

#include <vector>

namespace referee::loop {
namespace {

using namespace std::chrono_literals;

constexpr Instant at_time(Duration since) {
    return Instant{} + since;
}

TEST(StallLogTest, WhatOfAStretchWasLost) {
    StallLog log;
    log.add(StallKind::busy_loop, at_time(10ms), at_time(20ms));
    log.add(StallKind::not_running, at_time(40ms), at_time(70ms));
    log.add_share(StallKind::overloaded, at_time(100ms), at_time(200ms), 20ms);
    log.add_share(StallKind::suspended, at_time(300ms), at_time(301ms), 5s);
    struct Row {
        Duration from, to, lost;
    };
    for (const auto& [from, to, lost] : std::vector<Row>{
             {0ms, 10ms, 0ms},
             {0ms, 15ms, 5ms},
             {12ms, 15ms, 3ms},
             {0ms, 30ms, 10ms},
             {15ms, 50ms, 15ms},
             {0ms, 100ms, 40ms},
             {70ms, 100ms, 0ms},
             {100ms, 200ms, 20ms},
             {150ms, 200ms, 10ms},
             {0ms, 250ms, 60ms},
             {250ms, 299ms, 0ms},
             {250ms, 300ms, 5s},
             {301ms, 400ms, 5s},
             {302ms, 400ms, 0ms},
             {0ms, 400ms, 5060ms},
             {20ms, 40ms, 0ms},
         }) {
        EXPECT_EQ(log.stalled(StallsOf::process, at_time(from), at_time(to)), lost)
            << from.count() << " to " << to.count();
    }
    EXPECT_EQ(log.worst(StallsOf::process, at_time(0ms), at_time(45ms)), StallKind::busy_loop);
    EXPECT_EQ(log.worst(StallsOf::process, at_time(0ms), at_time(200ms)), StallKind::not_running);
    EXPECT_EQ(log.worst(StallsOf::process, at_time(90ms), at_time(200ms)), StallKind::overloaded);
    EXPECT_EQ(log.worst(StallsOf::process, at_time(0ms), at_time(400ms)), StallKind::suspended);
}

TEST(StallLogTest, TheSameTimeIsLostOnce) {
    StallLog log;
    log.add(StallKind::not_running, at_time(10ms), at_time(50ms));
    log.add(StallKind::clock_step, at_time(0ms),
            at_time(50ms));  // behind the end of what is known: nothing new
    log.add(StallKind::busy_loop, at_time(40ms), at_time(60ms));
    EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(100ms)), 50ms);
    log.add_share(StallKind::overloaded, at_time(0ms), at_time(100ms), 45ms);
    EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(100ms)), 50ms)
        << "more is known to be lost already";
    log.add_share(StallKind::overloaded, at_time(0ms), at_time(100ms), 80ms);
    EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(100ms)), 80ms);
    EXPECT_EQ(log.kept(), 3U);
}

TEST(StallLogTest, WhatStoppedTheProcessAloneIsNotTheMachines) {
    struct Row {
        StallKind kind;
        bool machine;
    };
    for (const auto& [kind, machine] :
         {Row{StallKind::busy_loop, false}, Row{StallKind::no_core, false},
          Row{StallKind::overloaded, false}, Row{StallKind::heart_starved, false},
          Row{StallKind::stopped, false}, Row{StallKind::stood_still, true},
          Row{StallKind::not_running, true}, Row{StallKind::clock_step, true},
          Row{StallKind::suspended, true}, Row{StallKind::stolen, true}}) {
        StallLog log;
        log.add(kind, at_time(0ms), at_time(20ms));
        EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(2s)), 20ms)
            << describe(kind);
        EXPECT_EQ(log.stalled(StallsOf::machine, at_time(0ms), at_time(2s)), machine ? 20ms : 0ms)
            << describe(kind);
    }
    StallLog log;
    log.add(StallKind::stolen, at_time(0ms), at_time(10ms));
    log.add(StallKind::busy_loop, at_time(10ms), at_time(50ms));
    EXPECT_EQ(log.worst(StallsOf::machine, at_time(0ms), at_time(50ms)), StallKind::stolen);
    EXPECT_EQ(log.worst(StallsOf::process, at_time(0ms), at_time(50ms)), StallKind::busy_loop);
}

// An answer comes at 100 ms, in a turn that began at 0.
TEST(StallLogTest, WhatCanHaveDelayedAStampReachesIt) {
    struct Row {
        const char* what;
        StallKind kind;
        Duration from, to;
        Duration stamp, cores, process;
    };
    for (const auto& [what, kind, from, to, stamp, cores, process] : {
             Row{"up to the answer", StallKind::busy_loop, 80ms, 100ms, 20ms, 20ms, 20ms},
             Row{"a moment before", StallKind::busy_loop, 80ms, 98ms, 18ms, 18ms, 18ms},
             Row{"in the middle", StallKind::busy_loop, 40ms, 60ms, 0ms, 0ms, 20ms},
             Row{"from before the turn", StallKind::busy_loop, -20ms, 20ms, 0ms, 0ms, 20ms},
             Row{"all the turn", StallKind::busy_loop, -20ms, 100ms, 100ms, 100ms, 100ms},
             Row{"no core in the middle", StallKind::no_core, 40ms, 60ms, 0ms, 20ms, 20ms},
             Row{"no core at the answer", StallKind::no_core, 80ms, 100ms, 20ms, 20ms, 20ms},
             Row{"its process was stopped in the middle", StallKind::stopped, 40ms, 60ms, 0ms, 20ms,
                 20ms},
             Row{"its process was stopped at the answer", StallKind::stopped, 80ms, 100ms, 20ms,
                 20ms, 20ms},
             Row{"the machine, in the middle", StallKind::stolen, 40ms, 60ms, 20ms, 20ms, 20ms},
             Row{"after it", StallKind::busy_loop, 101ms, 120ms, 0ms, 0ms, 0ms},
         }) {
        StallLog log;
        log.add(kind, at_time(1s + from), at_time(1s + to));
        const auto begin = at_time(1s);
        const auto end = at_time(1s + 100ms);
        EXPECT_EQ(log.stalled(StallsOf::stamp, begin, end), stamp) << what;
        EXPECT_EQ(log.stalled(StallsOf::cores, begin, end), cores) << what;
        EXPECT_EQ(log.stalled(StallsOf::process, begin, end), process) << what;
        if (stamp == 0ms) continue;
        EXPECT_EQ(log.worst(StallsOf::stamp, begin, end), kind) << what;
    }
}

TEST(StallLogTest, StallsThatFollowOneAnotherReachTheStampTogether) {
    StallLog log;
    log.add(StallKind::no_core, at_time(10ms), at_time(20ms));
    log.add(StallKind::busy_loop, at_time(60ms), at_time(80ms));
    log.add(StallKind::no_core, at_time(82ms), at_time(99ms));
    EXPECT_EQ(log.stalled(StallsOf::stamp, at_time(0ms), at_time(100ms)), 37ms);
    // A share lies anywhere in its stretch; it can have delayed a stamp by as much as was lost.
    log.add_share(StallKind::overloaded, at_time(180ms), at_time(200ms), 5ms);
    log.add_share(StallKind::overloaded, at_time(200ms), at_time(220ms), 5ms);
    EXPECT_EQ(log.stalled(StallsOf::stamp, at_time(150ms), at_time(220ms)), 5ms);
    EXPECT_EQ(log.stalled(StallsOf::cores, at_time(150ms), at_time(220ms)), 10ms);
}

TEST(StallLogTest, NothingIsKeptOfNothing) {
    StallLog log;
    log.add(StallKind::busy_loop, at_time(10ms), at_time(10ms));
    log.add_share(StallKind::overloaded, at_time(10ms), at_time(20ms), 0ms);
    EXPECT_EQ(log.kept(), 0U);
    EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(1s)), 0ms);
}

TEST(StallLogTest, TheOldestAreForgotten) {
    StallLog log;
    constexpr auto many = static_cast<int>(StallLog::kept_max) + 100;
    for (int i = 0; i < many; ++i)
        log.add(StallKind::busy_loop, at_time(i * 10ms), at_time(i * 10ms + 2ms));
    EXPECT_EQ(log.kept(), StallLog::kept_max);
    EXPECT_EQ(log.stalled(StallsOf::process, at_time(0ms), at_time(900ms)), 0ms);
    EXPECT_EQ(log.stalled(StallsOf::process, at_time((many - 10) * 10ms), at_time(many * 10ms)),
              20ms);
}

}  // namespace
}  // namespace referee::loop
