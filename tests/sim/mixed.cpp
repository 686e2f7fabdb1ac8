#include "tests/sim/run_plan.h"

#include "tests/sim/cuts.h"
#include "tests/sim/reloads.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t seed_of_mixed = 0x313D;
constexpr std::size_t kinds = 5;
constexpr std::size_t close_of_a_hundred = 60;
// Commits take up to 50 ms, so a cut that is so close often comes between an order and its record.
constexpr Duration close_upon = 60ms;

RunPlan draw_kind(std::uint64_t seed) {
    switch (seed % kinds) {
        case 0:
            return draw_ladder(seed);
        case 1:
            return draw_dead(seed);
        default:
            return draw_plan(seed);
    }
}

}  // namespace

RunPlan draw_mixed(std::uint64_t seed) {
    auto plan = draw_kind(seed);
    Random random(seed ^ seed_of_mixed);
    add_orders(plan);
    if (plan.class_password.empty()) {
        add_newcomers(plan);
    } else if (random.chance(50)) {
        plan.class_password.clear();  // a reload brings it
    }
    add_reloads(plan);
    add_cuts(plan, random);
    if (!random.chance(close_of_a_hundred)) return plan;
    const auto& order = plan.orders[random.below(plan.orders.size())];
    auto& cut = plan.cuts.front();
    cut.commit = 0;
    cut.at = order.at + random_below(random, close_upon);
    return plan;
}

}  // namespace tests::sim
