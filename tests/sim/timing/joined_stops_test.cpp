#include <gtest/gtest.h>

#include <iostream>

#include "referee/net/loop/loop_watch.h"
#include "tests/sim/timing/bounds.h"
#include "tests/sim/timing/runs.h"

// Lines of several games on a connection, and pings behind moves, lie unread while the referee, or
// its whole machine, stands still; the watch of its loop notices that. When each line came is known
// as an interval that may reach back over the stop.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t joined_games_max = 6;
constexpr std::int64_t turns_of_joined_stops = 12;
constexpr Duration joined_budget = 80ms;
constexpr Duration joined_stop_least = 15ms;
constexpr Duration joined_stop_more = 65ms;
constexpr Duration joined_rest_least = 60ms;
constexpr Duration joined_rest_more = 200ms;
constexpr Duration joined_plan = 20s;
constexpr Duration joined_call = 10us;
// Doubt is rare where the machine stands still: none in twenty seeds.
constexpr std::uint64_t joined_stops_runs_least = 200;

struct Stopped {
    std::size_t turns = 0;
    std::size_t stood = 0;     // turns in which somebody stood still
    std::size_t in_doubt = 0;  // of these, and in time only by doubt
    std::size_t late = 0;
    std::size_t passed = 0;  // of those that truly were late
};

Stops draw_joined_stops(TimedRoom& room, bool of_machine) {
    Stops stops;
    const auto begin = room.world.now();
    for (auto at = begin + joined_rest_least; at < begin + joined_plan;
         at += joined_rest_least + room.up_to(joined_rest_more)) {
        const auto to = at + joined_stop_least + room.up_to(joined_stop_more);
        stops.add({of_machine ? StopKind::machine : StopKind::referee, at, to});
        at = to;
    }
    return stops;
}

void check_stopped(const Judged& judged, const Stops& stops, Stopped& stopped) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    const auto from = judged.handed().earliest;
    const auto machine = stops.lost(StopKind::machine, from, judged.told);
    const bool stood =
        machine + stops.lost(StopKind::referee, from, judged.told) > Duration::zero();
    ++stopped.turns;
    stopped.late += charge.late ? 1 : 0;
    stopped.stood += stood ? 1 : 0;
    if (truth.arrived == Instant{}) {
        EXPECT_TRUE(charge.late) << describe(judged);
        return;
    }
    stopped.in_doubt += stood && charge.doubted > Duration::zero() ? 1 : 0;
    // The stop is taken off whatever the interval is.
    const auto over = truth.wall() - truth.least_measured - judged.budget -
                      stops.lost(StopKind::machine, truth.left, truth.arrived);
    EXPECT_FALSE(charge.late && over <= Duration::zero()) << describe(judged);
    if (charge.late || over <= Duration::zero()) return;
    // It gains what the referee did not look, and the stop once more.
    ++stopped.passed;
    const auto deadline = judged.handed().latest + judged.budget + truth.least_measured;
    EXPECT_TRUE(over <= machine ||
                !judged.line->was_emptied(deadline + machine + joined_call, truth.arrived))
        << describe(judged);
}

void join_and_stop(std::uint64_t seed, bool of_machine, Stopped& stopped) {
    Stops stops;  // before the room, whose lines look at them until they end
    TimedRoom room(seed);
    auto& random = room.random();
    stops = draw_joined_stops(room, of_machine);
    StoppedMachine machine(room.world, stops);
    referee::loop::LoopWatch watch(room.world.referee(), machine);
    room.watched_by(watch);
    for (const auto& stop : stops.all()) {
        room.world.outside().schedule(stop.from,
                                      [&room, stop] { room.world.stall(stop.to - stop.from); });
    }
    LineTraits line{.way = {.round_trip = 40us},
                    .address = "127.0.0.1",
                    .kernel = {.joins = random.below(101), .call_most = joined_call},
                    .stops = &stops};
    line.from_this_machine = true;
    Answering answering{.thinks_least = 700, .thinks_most = 1200};
    if (random.chance(70)) answering.behind = ping_line;
    answering.behind_after = room.up_to(300us);
    for (const auto* name : {"ada", "bob"}) room.add(name, line, answering);
    const auto games = 1 + random.below(joined_games_max);
    for (std::size_t i = 0; i < games; ++i)
        room.open({"ada", "bob"}, {.budget = joined_budget}, turns_of_joined_stops);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(of_machine || room.annulled().empty());
    for (const auto& judged : room.verdicts()) check_stopped(judged, stops, stopped);
}

TEST(JoinedStops, blame_nobody_who_was_in_time) {
    for (const bool of_machine : {false, true}) {
        Stopped stopped;
        for_each_seed([&](std::uint64_t seed) { join_and_stop(seed, of_machine, stopped); },
                      joined_stops_runs_least);
        std::cout << (of_machine ? "machine" : "referee") << " stopped: " << stopped.turns
                  << " turns, in " << stopped.stood << " of them a stop, " << stopped.in_doubt
                  << " of these passed by doubt; " << stopped.late << " late, " << stopped.passed
                  << " passed that were late\n";
        EXPECT_GT(stopped.stood, stopped.turns / 10);
        EXPECT_GT(stopped.late, 0U);
        EXPECT_GT(stopped.in_doubt, 0U);
    }
}

}  // namespace
}  // namespace tests::sim::timing
