#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "referee/net/loop/loop_watch.h"
#include "tests/sim/timing/bounds.h"
#include "tests/sim/timing/runs.h"

// The referee stands still: alone, for want of a core, or with its whole machine. The watch of its
// loop, the heartbeat and the kernel's stamps are all that it knows of it.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t games_in_a_row = 2;
constexpr std::int64_t turns_of_stops = 15;
constexpr Duration turn_budget = 100ms;
constexpr Duration stop_least = 15ms;  // a shorter one may lie between two beats
constexpr Duration stop_more = 65ms;
constexpr Duration rest_least = 60ms;
constexpr Duration rest_more = 400ms;
constexpr Duration plan_length = 30s;
constexpr std::string_view words_of_machine =
    "the machine stood still, or at least the referee and its heartbeat";

struct Count {
    std::size_t turns = 0;
    std::size_t stopped = 0;  // turns in which the referee alone, or the machine, stood still
    std::size_t corrected = 0;
    std::size_t annulled = 0;
    std::size_t late = 0;
};

// Of the referee alone, or also of its machine.
Stops draw_stops(TimedRoom& room, bool of_machine) {
    Stops stops;
    auto& random = room.random();
    const auto begin = room.world.now();
    for (auto at = begin + rest_least; at < begin + plan_length;
         at += rest_least + room.up_to(rest_more)) {
        const auto kind = of_machine && random.chance(60) ? StopKind::machine
                          : random.chance(50)             ? StopKind::referee
                                                          : StopKind::starved;
        const auto to = at + stop_least + room.up_to(stop_more);
        stops.add({kind, at, to});
        at = to;
    }
    return stops;
}

// A stop of the referee alone changes nothing: the kernel stamps what comes.
void expect_unmoved(const Judged& judged) {
    const auto& truth = judged.truth;
    EXPECT_EQ(judged.charge.corrected, Duration::zero()) << describe(judged);
    if (truth.arrived == Instant{}) return;
    const auto over = truth.wall() - truth.least_measured - judged.budget;
    EXPECT_FALSE(judged.charge.late && over <= Duration::zero()) << describe(judged);
    // Only a line to another machine may shake.
    const auto shakes =
        judged.line->traits().from_this_machine ? Duration::zero() : jitter_counts(judged.budget);
    EXPECT_TRUE(judged.charge.late || over <= judged.handed().width() + shakes) << describe(judged);
}

// The machine stood still in the turn: nobody who thought no longer than his budget is blamed, and
// nobody is excused by more than the stop twice.
void expect_excused(const Judged& judged, Duration stood) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    EXPECT_FALSE(charge.late && truth.thought <= judged.budget) << describe(judged);
    EXPECT_TRUE(charge.late || truth.thought <= judged.budget + 2 * stood) << describe(judged);
    EXPECT_LE(charge.corrected, stood) << describe(judged);
    EXPECT_TRUE(charge.corrected == Duration::zero() || judged.stall_cause == words_of_machine)
        << describe(judged);
}

void stop_and_go(std::uint64_t seed, bool of_machine, Count& count) {
    Stops stops;  // before the room, whose lines look at them until they end
    TimedRoom room(seed);
    stops = draw_stops(room, of_machine);
    StoppedMachine machine(room.world, stops);
    referee::loop::LoopWatch watch(room.world.referee(), machine);
    room.watched_by(watch);
    for (const auto& stop : stops.all()) {
        room.world.outside().schedule(stop.from,
                                      [&room, stop] { room.world.stall(stop.to - stop.from); });
    }
    std::vector<std::string> names;
    for (const bool here : {true, false}) {
        names.push_back(here ? "here" : "there");
        LineTraits line{.way = {.round_trip = here ? Duration(40us) : Duration(10ms)},
                        .address = here ? "127.0.0.1" : "203.0.113.5",
                        .stops = &stops};
        line.from_this_machine = here;
        room.add(names.back(), line, {.thinks_least = 500, .thinks_most = 1150});
    }
    for (std::size_t i = 0; i < games_in_a_row; ++i) {
        room.open(names, {.budget = turn_budget}, turns_of_stops);
        EXPECT_TRUE(room.play(1min));
    }
    for (const auto& judged : room.verdicts()) {
        const auto from = judged.handed().earliest;
        const auto machine_stood = stops.lost(StopKind::machine, from, judged.told);
        const auto alone = stops.lost(StopKind::referee, from, judged.told) +
                           stops.lost(StopKind::starved, from, judged.told);
        ++count.turns;
        count.late += judged.charge.late ? 1 : 0;
        count.corrected += judged.charge.corrected > Duration::zero() ? 1 : 0;
        count.stopped += machine_stood + alone > Duration::zero() ? 1 : 0;
        if (machine_stood == Duration::zero()) {
            expect_unmoved(judged);
        } else {
            expect_excused(judged, machine_stood);
        }
    }
    count.annulled += room.annulled().size();
    for (const auto& reason : room.annulled()) {
        EXPECT_TRUE(of_machine) << reason;
        EXPECT_NE(reason.find(words_of_machine), std::string::npos) << reason;
    }
}

void show(const Count& count) {
    std::cout << count.turns << " turns, in " << count.stopped << " of them a stop, " << count.late
              << " late, " << count.corrected << " corrected, " << count.annulled
              << " games annulled\n";
}

TEST(Stops, of_the_referee_alone_excuse_and_blame_nobody) {
    Count count;
    for_each_seed([&](std::uint64_t seed) { stop_and_go(seed, false, count); });
    show(count);
    EXPECT_GT(count.stopped, count.turns / 10);
    EXPECT_EQ(count.annulled, 0U);
    EXPECT_EQ(count.corrected, 0U);
    EXPECT_GT(count.late, 0U);
}

TEST(Stops, of_the_machine_excuse_as_far_as_they_may_have_hurt) {
    Count count;
    for_each_seed([&](std::uint64_t seed) { stop_and_go(seed, true, count); });
    show(count);
    EXPECT_GT(count.corrected, 0U);
    EXPECT_GT(count.annulled, 0U);
    EXPECT_GT(count.late, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
