#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/sim/world.h"

namespace tests::sim {

struct RunPlan;

// An order that the instructor gives in a run, and when.
struct PlannedOrder {
    enum class Kind : std::uint8_t {
        withdraw,
        admit,
        pause,
        abort,
        annul,
        start_now,
        reload,
        reload_badly
    };
    Kind kind = Kind::pause;
    Duration at{};         // after the beginning, or after that of the first game
    bool in_play = false;  // the latter
    // Of a pause or an abort, until it is resumed; of a reload, until what it brought is begun.
    Duration lasts{};
    std::size_t bot = 0;  // of those that are about one
};

// Adds orders to a run, by lot from its seed; some of them are about bots that never come and would
// be waited for long.
void add_orders(RunPlan& plan);

}  // namespace tests::sim
