#include "referee/net/loop/loop_watch.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "referee/net/loop/timers.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;

class HandTimers final : public Timers {
 public:
    Instant now() const override { return time; }
    // The loop runs at this moment, and not before.
    void run_at(Instant at) {
        time = at;
        run_due();
    }
    // The loop runs whenever it should.
    void run_until(Instant at) {
        while (earliest() <= at) run_at(std::max(time, earliest()));
        time = at;
    }
    Instant time{1h};

 private:
    void wake_at(Instant /*at*/) override {}
};

class HandMachine final : public Machine {
 public:
    Clocks clocks() const override {
        ++asked;
        in("clocks");
        return told;
    }
    Duration processor_time() const override {
        in("processor time");
        return used;
    }
    Duration core_wait() const override {
        in("core wait");
        return waited;
    }
    Load load() const override {
        in("load");
        return lost;
    }
    std::optional<Pulse> heartbeat(Instant /*now*/) const override {
        in("heartbeat");
        return awake ? pulse : std::nullopt;
    }
    void wake() override { awake = true; }
    void fall_asleep() override { awake = false; }
    Clocks told{.wall_ahead = Duration(1000s), .slept = {}};
    Duration used{};
    Duration waited{};
    Load lost;
    std::optional<Pulse> pulse;  // nothing: no heartbeat
    bool awake = false;
    mutable int asked = 0;  // for the clocks
    // Is told of each question, in its middle.
    std::function<void(std::string_view question)> in = [](auto /*question*/) {};
};

double us_of(Duration time) {
    return static_cast<double>(in_us(time));
}

class LoopWatchTest : public ::testing::Test {
 protected:
    Duration stalled_since(Instant from) const {
        return watch.stalled(StallsOf::process, from, timers.now());
    }

    HandTimers timers;
    HandMachine machine;
    LoopWatch watch{timers, machine};
    const Instant begin = timers.now();
};

TEST_F(LoopWatchTest, LongStallsAreToldWhenTheLoopGoesOn) {
    std::vector<std::string> told;
    watch.tell_stalls([&told](std::string_view cause, Duration stood) {
        told.push_back(std::to_string(stood / 1us) + " " + std::string(cause));
    });
    timers.run_until(begin + 1s);
    timers.run_at(timers.now() + LoopWatch::tick_every + 99ms);
    timers.run_until(timers.now() + 1s);
    EXPECT_TRUE(told.empty());
    timers.run_at(timers.now() + LoopWatch::tick_every + 500ms);
    timers.run_until(timers.now() + 1s);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0], "500000 " + std::string(describe(StallKind::not_running)));
}

TEST_F(LoopWatchTest, ALoopThatKeepsUpIsNoStall) {
    timers.run_until(begin + 10s);
    EXPECT_EQ(stalled_since(begin), 0ms);
    EXPECT_EQ(watch.cause(StallsOf::process, begin, timers.now()), "");
    for (int i = 0; i < 100; ++i)
        timers.run_at(timers.now() + LoopWatch::tick_every + LoopWatch::noise);
    EXPECT_EQ(stalled_since(begin), 0ms) << "noise";
}

TEST_F(LoopWatchTest, ALateTickIsAStallOfWhatItIsLate) {
    struct Row {
        const char* what;
        Duration burned;
        Duration waited;
        const char* cause;
    };
    for (const auto& [what, burned, waited, cause] :
         {Row{"busy", 45ms, 1ms, "its own event loop was busy"},
          Row{"crowded out", 1ms, 45ms, "the machine had no processor free for it"},
          Row{"stopped", 1ms, 2ms, "its process was not running"}}) {
        timers.run_until(timers.now() + 100ms);
        const auto from = timers.now();
        machine.used += burned;
        machine.waited += waited;
        timers.run_at(from + 50ms);
        timers.run_until(from + 200ms);
        EXPECT_GE(stalled_since(from), 48ms) << what;
        EXPECT_LE(stalled_since(from), 50ms) << what;
        EXPECT_EQ(watch.cause(StallsOf::process, from, timers.now()), cause) << what;
    }
}

// A process is stopped at any place, also in the middle of the watch's own work.
TEST_F(LoopWatchTest, AStopBetweenTwoQuestionsOfATickIsNoticed) {
    for (const std::string_view where :
         {"processor time", "core wait", "heartbeat", "clocks", "load"}) {
        timers.run_until(timers.now() + 100ms);
        const auto from = timers.now();
        bool stopped = false;
        machine.in = [&](std::string_view question) {
            if (question != where || std::exchange(stopped, true)) return;
            timers.time += 400ms;
        };
        timers.run_until(from + 1s);
        EXPECT_TRUE(stopped) << where;
        EXPECT_GE(stalled_since(from), 397ms) << where;
        EXPECT_LE(stalled_since(from), 400ms) << where;
        machine.in = [](auto /*question*/) {};
    }
}

TEST_F(LoopWatchTest, TheHeartbeatTellsOurOwnStopFromTheMachines) {
    struct Row {
        const char* what;
        Duration late;
        Machine::Pulse pulse;  // by how much it grows meanwhile
        Duration machine;      // counts for everybody
        Duration cores;
        const char* cause;
    };
    constexpr auto stopped = "its process was stopped, while the machine went on";
    constexpr auto stood = "the machine stood still, or at least the referee and its heartbeat";
    constexpr auto starved =
        "its process was not running, and the machine had no processor free for its heartbeat";
    for (const auto& [what, late, pulse, by_machine, by_cores, cause] : {
             Row{"only the referee", 300ms, {0ms, 0ms}, 0ms, 300ms, stopped},
             Row{"the heartbeat waits a little", 300ms, {4ms, 4ms}, 0ms, 300ms, stopped},
             Row{"both", 300ms, {300ms, 0ms}, 300ms, 300ms, stood},
             Row{"both, just after a beat", 300ms, {295ms, 1ms}, 300ms, 300ms, stood},
             Row{"both for a while, then only the referee",
                 300ms,
                 {95ms, 0ms},
                 100ms,
                 300ms,
                 stopped},
             Row{"the heartbeat starves", 300ms, {290ms, 290ms}, 0ms, 300ms, starved},
             Row{"starves, and both stand for a moment",
                 300ms,
                 {290ms, 275ms},
                 20ms,
                 300ms,
                 starved},
             Row{"starves, then both stand", 300ms, {290ms, 95ms}, 200ms, 300ms, stood},
             Row{"too short to tell", 9ms, {0ms, 0ms}, 9ms, 9ms, "its process was not running"},
         }) {
        machine.pulse = machine.pulse.value_or(Machine::Pulse{});
        timers.run_until(timers.now() + 1s);
        const auto from = timers.now();
        machine.pulse->stood += pulse.stood;
        machine.pulse->core_wait += pulse.core_wait;
        timers.run_at(from + LoopWatch::tick_every + late);
        const auto near = [&](StallsOf whose, Duration expected) {
            const auto told = watch.stalled(whose, from, timers.now());
            return told <= expected && told >= expected - LoopWatch::tick_every;
        };
        EXPECT_TRUE(near(StallsOf::machine, by_machine)) << what;
        EXPECT_TRUE(near(StallsOf::cores, by_cores)) << what;
        EXPECT_TRUE(near(StallsOf::process, by_cores)) << what;
        EXPECT_EQ(watch.cause(StallsOf::process, from, timers.now()), cause) << what;
    }
}

TEST_F(LoopWatchTest, WithoutAHeartbeatAStopMayBeTheMachines) {
    machine.pulse = Machine::Pulse{};
    timers.run_until(begin + 1s);
    machine.pulse.reset();
    timers.run_at(begin + 1300ms);
    EXPECT_GE(watch.stalled(StallsOf::machine, begin, timers.now()), 296ms);
    EXPECT_EQ(watch.cause(StallsOf::machine, begin, timers.now()), "its process was not running");
    timers.run_until(begin + 2s);
    machine.pulse = Machine::Pulse{};
    timers.run_at(begin + 2300ms);
    EXPECT_EQ(watch.cause(StallsOf::machine, begin + 2s, timers.now()),
              "its process was not running")
        << "it was not there when the stop began";
}

TEST_F(LoopWatchTest, AStopThatIsLookedAtTwiceIsToldOnce) {
    machine.pulse = Machine::Pulse{};
    timers.run_until(begin + 1s);
    const auto from = timers.now();
    machine.pulse->stood += 95ms;
    timers.time += 300ms;
    EXPECT_NEAR(us_of(watch.stalled(StallsOf::machine, from, timers.now())), 100'000, 1'000);
    timers.time += 1ms;
    timers.run_at(timers.now());
    EXPECT_NEAR(us_of(watch.stalled(StallsOf::machine, from, timers.now())), 100'000, 1'000);
    EXPECT_NEAR(us_of(watch.stalled(StallsOf::process, from, timers.now())), 300'000, 2'000);
}

TEST_F(LoopWatchTest, TheHeartbeatRestsWithTheWatch) {
    EXPECT_TRUE(machine.awake);
    watch.fall_asleep();
    EXPECT_FALSE(machine.awake);
    watch.wake();
    EXPECT_TRUE(machine.awake);
    { const LoopWatch other(timers, machine); }
    EXPECT_FALSE(machine.awake);
}

TEST_F(LoopWatchTest, AStallIsKnownBeforeTheTickThatIsLateForIt) {
    timers.run_until(begin + 100ms);
    timers.time += 300ms;  // and a handler asks before the tick has its turn
    EXPECT_NEAR(us_of(stalled_since(begin)), 299'000, 1'100);
    timers.time += 10ms;
    timers.run_at(timers.now());
    EXPECT_NEAR(us_of(stalled_since(begin)), 309'000, 1'100) << "and is told once";
    EXPECT_EQ(watch.stalled(StallsOf::process, begin, begin + 100ms), 0ms);
}

TEST_F(LoopWatchTest, WhatLiesBeforeTheLastLookIsNotLookedForAgain) {
    timers.run_until(begin + 100ms);
    timers.time += 50ms;
    EXPECT_GT(stalled_since(begin), 45ms);
    const auto asked = machine.asked;
    EXPECT_GT(watch.stalled(StallsOf::process, begin, timers.now() - 10ms), 35ms);
    EXPECT_GT(stalled_since(begin), 45ms);
    EXPECT_EQ(machine.asked, asked);
    timers.time += 1us;
    EXPECT_GT(stalled_since(begin), 45ms);
    EXPECT_EQ(machine.asked, asked + 1);
}

TEST_F(LoopWatchTest, AtRestItKnowsOfNothingAndWakesNobody) {
    timers.run_until(begin + 1s);
    watch.fall_asleep();
    timers.run_at(timers.now() + 1h);
    machine.told.wall_ahead = *machine.told.wall_ahead + 5s;
    machine.told.slept += 10min;
    EXPECT_EQ(stalled_since(begin), 0ms);
    watch.wake();
    watch.wake();
    const auto woken = timers.now();
    timers.run_until(woken + 1s);
    EXPECT_EQ(stalled_since(begin), 0ms);
    timers.run_at(timers.now() + 50ms);
    EXPECT_GT(stalled_since(woken), 40ms) << "awake again";
}

TEST_F(LoopWatchTest, StepsOfTheWallClock) {
    for (const auto step : std::vector<Duration>{1h, -1h, 6ms, -6ms}) {
        timers.run_until(timers.now() + 100ms);
        const auto from = timers.now();
        *machine.told.wall_ahead += step;
        timers.run_until(from + 10ms);
        EXPECT_GT(stalled_since(from - 5ms), 0ms) << step.count();
        EXPECT_LE(stalled_since(from - 5ms), LoopWatch::tick_every) << step.count();
        EXPECT_EQ(watch.cause(StallsOf::process, from - 5ms, timers.now()),
                  "the machine's wall clock jumped");
    }
    timers.run_until(timers.now() + 100ms);
    const auto from = timers.now();
    for (int i = 0; i < 1000; ++i) {
        *machine.told.wall_ahead +=
            4ms;  // the wall clock is slewed, much more than any machine does it
        timers.run_until(timers.now() + 10ms);
    }
    machine.told.wall_ahead.reset();  // this time the machine can't tell it
    timers.run_until(timers.now() + 10ms);
    EXPECT_EQ(stalled_since(from), 0ms);
}

TEST_F(LoopWatchTest, SleepOfTheMachine) {
    timers.run_until(begin + 100ms);
    machine.told.slept += 8h;  // the referee's clock stood still, the wall clock went on
    *machine.told.wall_ahead += 8h;
    timers.run_until(begin + 110ms);
    EXPECT_EQ(stalled_since(begin), 8h);
    EXPECT_EQ(watch.cause(StallsOf::process, begin, timers.now()), "the machine slept");
    EXPECT_EQ(watch.stalled(StallsOf::process, begin + 105ms, timers.now()), 0ms);
}

TEST_F(LoopWatchTest, OverloadIsTimeLostToOthers) {
    timers.run_until(begin + 1s);
    machine.lost.stolen += 1ms;
    timers.run_until(begin + 2s);
    EXPECT_EQ(stalled_since(begin), 0ms) << "everyday";
    const auto from = timers.now();
    for (int i = 0; i < 5; ++i) {
        machine.lost.waited += 7ms;
        timers.run_until(timers.now() + LoopWatch::sample_every);
    }
    timers.run_until(timers.now() + 100ms);
    EXPECT_NEAR(us_of(stalled_since(from - 50ms)), 35'000, 100);
    EXPECT_EQ(watch.cause(StallsOf::process, from - 50ms, timers.now()),
              "the machine was overloaded");
    EXPECT_EQ(watch.stalled(StallsOf::machine, begin, timers.now()), 0ms);
    machine.lost.stolen += 10ms;
    timers.run_until(timers.now() + 100ms);
    EXPECT_NEAR(us_of(watch.stalled(StallsOf::machine, from, timers.now())), 10'000, 100);
}

// The kernel counts what the host took in ticks: here 10 ms of one of two cores.
TEST_F(LoopWatchTest, ATickOfStolenTimeMayHaveGatheredForLong) {
    machine.lost.stolen_step = 5ms;
    timers.run_until(begin + 1s);
    machine.lost.stolen += 5ms;
    timers.run_until(begin + 2s);
    EXPECT_EQ(stalled_since(begin), 0ms) << "0.5 % of the time since the one before";
    machine.lost.stolen += 15ms;
    timers.run_until(begin + 3s);
    EXPECT_NEAR(us_of(stalled_since(begin)), 10'000, 100)
        << "two ticks of three were lost since the last sample";
    const auto from = timers.now();
    for (int i = 0; i < 10; ++i) {
        machine.lost.stolen += 5ms;
        timers.run_until(timers.now() + 2 * LoopWatch::sample_every);
    }
    EXPECT_NEAR(us_of(stalled_since(from)), 45'000, 5'000) << "an eighth of the time, tick by tick";
}

// The real watch, as far as that can be tested without asserting on time: it notices a handler that
// takes 30 ms.
TEST(LoopWatchOnThisMachineTest, NoticesItsOwnBusyHandler) {
    boost::asio::io_context loop;
    SystemTimers timers(loop.get_executor());
    const auto machine = this_machine([](const std::string& trouble) { FAIL() << trouble; });
    LoopWatch watch(timers, *machine);
    const auto begin = timers.now();
    Duration known{};
    timers.schedule(begin + 10ms, [&] {
        const auto used = machine->processor_time();
        while (machine->processor_time() - used < 30ms) {
        }
        known = watch.stalled(StallsOf::process, begin, timers.now());
        loop.stop();
    });
    loop.run();
    EXPECT_GE(known, 30ms - LoopWatch::tick_every);
}

}  // namespace
}  // namespace referee::loop
