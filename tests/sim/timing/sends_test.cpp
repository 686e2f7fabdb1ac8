#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/timing/bounds.h"

// The referee is put aside in the midst of a send, and several deadlines are due at once.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr Duration quick_call = 10us;
constexpr Duration deadline_budget = 100ms;
constexpr Duration slow_send = 5ms;
constexpr std::uint64_t exactly = 1000;  // thousandths

LineTraits line_of_neighbour(const KernelHabits& kernel) {
    LineTraits line{.way = {.round_trip = 60us}, .address = "127.0.0.1", .kernel = kernel};
    line.from_this_machine = true;
    return line;
}

void interrupt_sends(std::uint64_t seed, Moments& moments) {
    TimedRoom room(seed);
    auto& random = room.random();
    KernelHabits kernel{.call_most = quick_call, .put_aside = 60};
    kernel.aside_least = 20ms;
    kernel.aside_most = 70ms;
    kernel.aside_only_in_sends = true;
    kernel.stamps_sends = random.chance(70);
    const Answering answering{.thinks_least = 700, .thinks_most = 1300};
    for (const auto* name : {"ada", "bob"}) room.add(name, line_of_neighbour(kernel), answering);
    room.open({"ada", "bob"}, {.budget = 60ms + room.up_to(100ms)}, 30);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) check_moments(judged, quick_call, moments);
}

TEST(Sends, a_send_that_was_interrupted_blames_nobody) {
    Moments moments;
    for_each_seed([&](std::uint64_t seed) { interrupt_sends(seed, moments); });
    std::cout << describe(moments) << "\n";
    EXPECT_GT(moments.truly_late, 0U);
    EXPECT_GT(moments.in_doubt, 0U);
}

// Many games have the same deadline; sending takes long. Answers come right at it and a little
// behind it, with lines behind them, so that only the look at the deadline tells when they came.
void meet_at_a_deadline(std::uint64_t seed, std::size_t& late, std::size_t& in_time) {
    TimedRoom room(seed);
    auto& random = room.random();
    const auto bots = 2 + random.below(4);
    std::vector<std::string> names;
    std::vector<TimedBot*> all;
    for (std::size_t i = 0; i < bots; ++i) {
        names.push_back("bot" + std::to_string(i));
        Answering answering{.thinks_least = exactly, .thinks_most = exactly};
        if (random.chance(70)) answering.adds = room.up_to(4 * slow_send);
        answering.behind = pong_line;
        answering.behind_after = room.up_to(1us);
        all.push_back(
            &room.add(names.back(), line_of_neighbour({.joins = random.below(101)}), answering));
    }
    const auto games = 1 + random.below(4);
    for (std::size_t i = 0; i < games; ++i) room.open(names, {.budget = deadline_budget}, 2);
    // The first turns leave at the same moment.
    room.world.outside().schedule(room.world.now() + deadline_budget / 2, [all] {
        for (auto* bot : all) bot->line().sends_take(slow_send);
    });
    EXPECT_TRUE(room.play(1min));
    for (const auto& judged : room.verdicts()) {
        if (std::get<1>(judged.key) != 1) continue;
        const bool truly_late = judged.truth.thought > judged.budget;
        ++(truly_late ? late : in_time);
        EXPECT_EQ(judged.charge.late, truly_late) << describe(judged);
        EXPECT_EQ(judged.answered, !truly_late) << describe(judged);
    }
}

TEST(Sends, all_that_is_due_is_judged_before_anything_is_sent) {
    std::size_t late = 0;
    std::size_t in_time = 0;
    for_each_seed([&](std::uint64_t seed) { meet_at_a_deadline(seed, late, in_time); });
    std::cout << late << " late, " << in_time << " right at the deadline\n";
    EXPECT_GT(late, 0U);
    EXPECT_GT(in_time, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
