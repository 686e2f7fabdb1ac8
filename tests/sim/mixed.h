#pragma once

#include "tests/sim/run_plan.h"

namespace tests::sim {

// A run in which everything comes together: a ladder, a tournament or one with dead bots, orders,
// bots that register, configs that are read again, and cuts; some cuts follow close upon a reload
// or an order.
RunPlan draw_mixed(std::uint64_t seed);

}  // namespace tests::sim
