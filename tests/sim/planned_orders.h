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
        reload_badly,
        // An arbiter's: what they are about is picked when they are given.
        set_result,
        take_result_back,
        forbid,
        grant_bye,
        pair_by_hand,
    };
    Kind kind = Kind::pause;
    Duration at{};         // after the beginning
    bool in_play = false;  // `at` counts from the beginning of the first game
    // Of a pause or an abort, until it is resumed; of a reload, until what it brought is begun.
    Duration lasts{};
    std::size_t bot = 0;  // whom it is about, where it is about a bot
};

// Adds orders to a run, by lot from its seed; some of them are about bots that never come and would
// be waited for long.
void add_orders(RunPlan& plan);
// Adds orders of an arbiter, most of them to a Swiss.
void add_arbiter(RunPlan& plan);

}  // namespace tests::sim
