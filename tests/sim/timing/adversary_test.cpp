#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/timing/bounds.h"

// A bot whose owner is root on its machine, and which tries whatever it can, among honest ones.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t turns_of_eve = 25;
constexpr std::int64_t turns_before = 8;
constexpr std::size_t neighbours_most = 5;
// Linux forgets after five minutes; games here are shorter.
constexpr Duration kernel_forgets_after = 1500ms;
constexpr Duration call_most = 10us;
// Lines that came together are read one after the other.
constexpr Duration read_within = 2ms;

struct Gain {
    std::size_t turns = 0;
    std::size_t passed = 0;  // above the budget
    Fairness honest{};
};

struct Scene {
    Way way{};
    std::string network;
    std::size_t neighbours = 0;
    Acks acks{};
    Answering tricks{};
};

Scene some_scene(TimedRoom& room) {
    auto& random = room.random();
    Scene scene;
    scene.way.round_trip = random.chance(50) ? 400us : 12ms;
    scene.network = random.chance(50) ? "10.7.7." : "203.0.113.";
    scene.neighbours = random.below(neighbours_most + 1);
    if (random.chance(70)) {
        scene.acks.held = 5ms + room.up_to(300ms);
        // From the beginning, or from some time on.
        if (random.chance(50)) scene.acks.held_after = room.up_to(5s);
    }
    auto& tricks = scene.tricks;
    tricks.thinks_least = 900;
    tricks.thinks_most = 1000;
    tricks.adds = room.up_to(random.chance(50) ? Duration(40ms) : scene.acks.held + 1ms);
    if (random.chance(40)) tricks.behind = ping_line;
    tricks.behind_after = room.up_to(1ms);
    tricks.answers_ahead = random.chance(20);
    if (!tricks.answers_ahead) tricks.pieces = 1 + random.below(4);
    if (random.chance(30)) tricks.piece_gap = room.up_to(20ms);
    tricks.early_first_bytes = random.chance(30);
    tricks.floods = random.chance(30) ? random.below(40) : 0;
    return scene;
}

// The least that the page lets count of a way that pretends to be long: what its neighbours need
// and the margin, or the cap of its range.
Duration most_of_least(const TimedRoom& room, const Scene& scene) {
    const auto cap = cap_of(scene.network);
    std::vector<Duration> others;
    for (std::size_t i = 0; i < scene.neighbours; ++i)
        others.push_back(room.line_of("honest" + std::to_string(i))->least_measured());
    if (others.size() < 3) return cap;
    std::ranges::sort(others);
    const auto median = others[others.size() / 2];
    return std::min(cap, median + std::max<Duration>(median, 5ms));
}

void check_gain(const Judged& judged, const TimedRoom& room, const Scene& scene, Gain& gain) {
    const auto& truth = judged.truth;
    const auto& charge = judged.charge;
    ++gain.turns;
    // Who held back nothing at first has shown how short its way is.
    auto least = most_of_least(room, scene);
    if (scene.acks.held_after > Duration::zero() || scene.acks.held == Duration::zero())
        least = std::min(least, scene.way.round_trip + 5 * call_most);
    EXPECT_LE(charge.allowed, least) << describe(judged);
    // Whoever answers before it is asked does not see what it answers.
    if (!judged.answered || truth.ahead) return;
    const auto over = truth.wall() - judged.budget;
    EXPECT_LE(over, least + jitter_counts(judged.budget) + judged.handed().width() + read_within)
        << describe(judged);
    EXPECT_GE(charge.charged, std::min(judged.budget, truth.wall() - least)) << describe(judged);
    if (truth.thought > judged.budget) ++gain.passed;
}

void run(std::uint64_t seed, Gain& gain) {
    TimedRoom room(seed);
    const auto scene = some_scene(room);
    const KernelHabits kernel{.joins = room.random().below(100),
                              .call_most = call_most,
                              .forgets_after = kernel_forgets_after};
    std::vector<std::string> honest;
    for (std::size_t i = 0; i < std::max<std::size_t>(scene.neighbours, 2); ++i) {
        honest.push_back("honest" + std::to_string(i));
        LineTraits line{.way = scene.way, .kernel = kernel};
        line.address = (i < scene.neighbours ? scene.network : "192.0.2.") + std::to_string(i + 1);
        room.add(honest.back(), line, {.thinks_least = 800, .thinks_most = 1000});
    }
    const referee::clock::ClockConfig clock{.budget = 80ms + room.up_to(120ms)};
    // So the neighbours' ways are known.
    room.open(honest, clock, turns_before);
    EXPECT_TRUE(room.play(1min));
    LineTraits line{.way = scene.way, .acks = scene.acks, .kernel = kernel};
    line.address = scene.network + "66";
    room.add("eve", line, scene.tricks);
    room.open({"eve", honest[0]}, clock, turns_of_eve);
    // Lines of two games that come in pieces would be mixed up.
    const bool in_pieces =
        scene.tricks.early_first_bytes || scene.tricks.piece_gap > Duration::zero();
    if (!in_pieces) room.open({"eve", honest[1]}, clock, turns_of_eve);
    room.open({honest[0], honest[1]}, clock, turns_of_eve);
    EXPECT_TRUE(room.play(1min)) << "the games go on";
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) {
        if (std::get<2>(judged.key) == "eve") {
            check_gain(judged, room, scene, gain);
        } else {
            check_honest(judged, gain.honest);
        }
    }
}

TEST(Adversary, gains_no_more_than_the_page_tells_and_hurts_nobody) {
    Gain gain;
    for_each_seed([&](std::uint64_t seed) { run(seed, gain); });
    EXPECT_GT(gain.passed, gain.turns / 100);
    EXPECT_EQ(gain.honest.falsely_late, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
