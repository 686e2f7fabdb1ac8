#include <gtest/gtest.h>

#include <functional>

#include "referee/net/loop/loop_watch.h"
#include "tests/sim/timing/bounds.h"

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
constexpr std::string_view words_of_machine =
    "the machine stood still, or at least the referee and its heartbeat";

struct Count {
    std::size_t turns = 0;
    std::size_t stopped = 0;  // turns in which the referee alone, or the machine, stood still
    std::size_t corrected = 0;
    std::size_t annulled = 0;
    std::size_t late = 0;
};

// A referee, whose loop is watched, that stands still now and then.
struct StoppedRoom {
    StoppedRoom(std::uint64_t seed, Duration rest_more, Duration length,
                const std::function<StopKind(Random&)>& draw_kind)
        : room(seed) {
        const auto begin = room.world.now();
        for (auto at = begin + rest_least; at < begin + length;
             at += rest_least + room.up_to(rest_more)) {
            const auto kind = draw_kind(room.random());
            const auto to = at + stop_least + room.up_to(stop_more);
            stops.add({kind, at, to});
            at = to;
        }
        room.watched_by(watch);
        for (const auto& stop : stops.all()) {
            room.world.outside().schedule(stop.from,
                                          [this, stop] { room.world.stall(stop.to - stop.from); });
        }
    }

    Stops stops;  // before the room, whose lines look at them until they end
    TimedRoom room;
    StoppedMachine machine{room.world, stops};
    referee::loop::LoopWatch watch{room.world.referee(), machine};
};

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
    // Of the referee alone, or also of its machine.
    StoppedRoom stopped(seed, 400ms, 30s, [of_machine](Random& random) {
        if (of_machine && random.chance(60)) return StopKind::machine;
        return random.chance(50) ? StopKind::referee : StopKind::starved;
    });
    auto& [stops, room, machine, watch] = stopped;
    std::vector<std::string> names;
    for (const bool here : {true, false}) {
        names.push_back(here ? "here" : "there");
        LineTraits line{.way = {.round_trip = here ? Duration(40us) : Duration(10ms)},
                        .address = here ? "127.0.0.1" : "203.0.113.5",
                        .from_this_machine = here,
                        .stops = &stops};
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

TEST(Stops, of_the_referee_alone_excuse_and_blame_nobody) {
    Count count;
    for_each_seed([&](std::uint64_t seed) { stop_and_go(seed, false, count); });
    EXPECT_GT(count.stopped, count.turns / 10);
    EXPECT_EQ(count.annulled, 0U);
    EXPECT_EQ(count.corrected, 0U);
    EXPECT_GT(count.late, 0U);
}

TEST(Stops, of_the_machine_excuse_as_far_as_they_may_have_hurt) {
    Count count;
    for_each_seed([&](std::uint64_t seed) { stop_and_go(seed, true, count); });
    EXPECT_GT(count.corrected, 0U);
    EXPECT_GT(count.annulled, 0U);
    EXPECT_GT(count.late, 0U);
}

// Lines of several games on a connection, and pings behind moves, lie unread while the referee, or
// its whole machine, stands still; the watch of its loop notices that. When each line came is known
// as an interval that may reach back over the stop.

constexpr std::size_t joined_games_max = 6;
constexpr std::int64_t turns_of_joined_stops = 12;
constexpr Duration joined_budget = 80ms;
constexpr Duration joined_call = 10us;
// Doubt is rare where the machine stands still: none in twenty seeds.
constexpr std::uint64_t joined_stops_runs_least = 200;

struct Stopped {
    std::size_t turns = 0;
    std::size_t stood = 0;     // turns in which somebody stood still
    std::size_t in_doubt = 0;  // of these, and in time only by doubt
    std::size_t late = 0;
};

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
    const auto deadline = judged.handed().latest + judged.budget + truth.least_measured;
    EXPECT_TRUE(over <= machine ||
                !judged.line->was_emptied(deadline + machine + joined_call, truth.arrived))
        << describe(judged);
}

void join_and_stop(std::uint64_t seed, bool of_machine, Stopped& stopped) {
    StoppedRoom where(seed, 200ms, 20s, [of_machine](Random& /*random*/) {
        return of_machine ? StopKind::machine : StopKind::referee;
    });
    auto& [stops, room, machine, watch] = where;
    auto& random = room.random();
    LineTraits line{.way = {.round_trip = 40us},
                    .address = "127.0.0.1",
                    .from_this_machine = true,
                    .kernel = {.joins = random.below(101), .call_most = joined_call},
                    .stops = &stops};
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
        EXPECT_GT(stopped.stood, stopped.turns / 10);
        EXPECT_GT(stopped.late, 0U);
        EXPECT_GT(stopped.in_doubt, 0U);
    }
}

}  // namespace
}  // namespace tests::sim::timing
