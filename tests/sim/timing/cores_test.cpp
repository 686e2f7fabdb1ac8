#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/timing/bounds.h"
#include "tests/sim/timing/processes.h"
#include "tests/sim/timing/runs.h"

// Launched bots: waits for a core, and processor time between turns.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t turns_of_cores = 20;
constexpr Duration core_budget = 30ms;
constexpr Duration cpu_budget = 50ms;
constexpr Duration way_of_output = 40us;

LineTraits line_of_output() {
    return {
        .way = {.round_trip = way_of_output}, .address = "127.0.0.1", .from_this_machine = true};
}

struct Waits {
    std::size_t turns = 0;
    std::size_t alone = 0;  // of bots of one thread
    Duration waited{};      // truly
    Duration excused{};
    std::size_t late = 0;
};

void check_wait(const Judged& judged, const ScheduledProcess& process, bool one_thread,
                Waits& waits) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    const auto waited = process.truly_waited(truth.left, truth.arrived);
    const auto used = process.truly_used(truth.left, truth.arrived);
    ++waits.turns;
    waits.late += charge.late ? 1 : 0;
    if (charge.late || truth.arrived == Instant{}) {
        // What it may have waited is given to a silent bot, so it had its budget. Threads that run
        // at the same time hide some of their waits.
        const auto had = judged.told - truth.left - process.truly_waited(truth.left, judged.told);
        EXPECT_TRUE(!one_thread || had >= judged.budget) << describe(judged);
        EXPECT_FALSE(one_thread && truth.thought <= judged.budget) << describe(judged);
        return;
    }
    waits.waited += waited;
    waits.excused += charge.waited;
    EXPECT_LE(charge.waited, waited) << describe(judged);
    EXPECT_GE(charge.charged + charge.allowed + charge.doubted, std::min(used, truth.wall()))
        << describe(judged);
    if (!one_thread) return;
    ++waits.alone;
    EXPECT_EQ(charge.waited, waited) << describe(judged);
    EXPECT_EQ(charge.charged, truth.thought) << describe(judged);
}

void wait_for_cores(std::uint64_t seed, Waits& waits) {
    std::deque<ScheduledProcess> processes;
    TimedRoom room(seed);
    auto& random = room.random();
    std::vector<std::string> names;
    std::vector<std::size_t> threads;
    for (const auto* name : {"ada", "bob"}) {
        names.emplace_back(name);
        threads.push_back(random.chance(50) ? 1 : 2 + random.below(3));
        auto& process = processes.emplace_back(
            room.world,
            ScheduledProcess::Traits{1 + random.below(2), threads.back(), random.below(4)},
            Random(random.next()));
        auto& bot = room.add(name, line_of_output(), {.thinks_least = 100, .thinks_most = 1200});
        bot.takes([&process](Duration work) { return process.schedule(work); });
        room.launch(name, process);
    }
    room.open(names, {.budget = core_budget}, turns_of_cores);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) {
        const auto seat = std::get<2>(judged.key) == names[0] ? 0U : 1U;
        check_wait(judged, processes[seat], threads[seat] == 1, waits);
    }
}

TEST(Cores, a_wait_behind_others_is_not_charged_and_one_behind_itself_is) {
    Waits waits;
    for_each_seed([&](std::uint64_t seed) { wait_for_cores(seed, waits); });
    std::cout << waits.turns << " turns, " << waits.alone << " of one thread, " << waits.late
              << " late; waited " << referee::in_us(waits.waited) << " us, of which "
              << referee::in_us(waits.excused) << " us were excused\n";
    EXPECT_GT(waits.alone, 0U);
    EXPECT_GT(waits.late, 0U);
    EXPECT_GT(waits.excused, waits.waited / 2);
}

// Whether it is frozen between its turns or not: all that it burns from the first turn on is
// charged to a turn. A turn is over when its budget is used up; who can't be frozen then burns on,
// and pays for that in its next turn; the last ones that are over so have no next one.
TEST(Cores, nothing_between_turns_is_free_under_a_clock_of_processor_time) {
    std::size_t pondered = 0;
    for_each_seed([&](std::uint64_t seed) {
        std::deque<PonderingProcess> processes;
        TimedRoom room(seed);
        std::vector<std::string> names;
        std::vector<bool> freezes;
        for (const auto* name : {"ada", "bob"}) {
            names.emplace_back(name);
            freezes.push_back(room.random().chance(50));
            auto& process = processes.emplace_back(room.world, freezes.back());
            room.add(name, line_of_output(), {.thinks_least = 100, .thinks_most = 900});
            room.launch(name, process);
        }
        const referee::clock::ClockConfig clock{.measure = referee::clock::Measure::cpu,
                                                .budget = cpu_budget};
        room.open(names, clock, turns_of_cores);
        EXPECT_TRUE(room.play(1min));
        for (std::size_t seat = 0; seat < names.size(); ++seat) {
            Duration charged{};
            Duration between{};  // its turns
            Duration in_turns{};
            std::optional<Instant> before;
            auto turns = room.verdicts();
            std::erase_if(
                turns, [&](const auto& judged) { return std::get<2>(judged.key) != names[seat]; });
            while (!turns.empty() && turns.back().charge.late) turns.pop_back();
            for (const auto& judged : turns) {
                // An answer that came when the turn was long over was read in none.
                const auto read = std::max(judged.truth.read, judged.truth.left);
                const bool stood_still = judged.charge.late && freezes[seat];
                charged += judged.charge.charged;
                in_turns += stood_still ? judged.charge.charged : read - judged.truth.left;
                if (before) between += judged.truth.left - *before;
                before = read;
            }
            EXPECT_GE(charged, in_turns + (freezes[seat] ? Duration::zero() : between));
            // Before its first turn it waited for the other bot, after it was ready itself.
            EXPECT_LE(charged, in_turns + (freezes[seat] ? Duration::zero() : between + 1ms));
            pondered += between > cpu_budget && !freezes[seat] ? 1 : 0;
        }
    });
    EXPECT_GT(pondered, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
