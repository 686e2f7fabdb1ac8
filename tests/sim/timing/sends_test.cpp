#include <gtest/gtest.h>

#include "tests/sim/timing/bounds.h"

// The referee is put aside in the midst of a send.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr Duration quick_call = 10us;

void interrupt_sends(std::uint64_t seed, Moments& moments) {
    TimedRoom room(seed);
    auto& random = room.random();
    KernelHabits kernel{.call_most = quick_call, .put_aside = 60};
    kernel.aside_least = 20ms;
    kernel.aside_most = 70ms;
    kernel.aside_only_in_sends = true;
    kernel.stamps_sends = random.chance(70);
    const LineTraits line{.way = {.round_trip = 60us},
                          .address = "127.0.0.1",
                          .from_this_machine = true,
                          .kernel = kernel};
    for (const auto* name : {"ada", "bob"})
        room.add(name, line, {.thinks_least = 700, .thinks_most = 1300});
    room.open({"ada", "bob"}, {.budget = 60ms + room.up_to(100ms)}, 30);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) check_moments(judged, quick_call, moments);
}

TEST(Sends, a_send_that_was_interrupted_blames_nobody) {
    Moments moments;
    for_each_seed([&](std::uint64_t seed) { interrupt_sends(seed, moments); });
    EXPECT_GT(moments.truly_late, 0U);
    EXPECT_GT(moments.in_doubt, 0U);
}

}  // namespace
}  // namespace tests::sim::timing
