#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "tests/sim/bot.h"
#include "tests/sim/orders.h"

namespace tests::sim {

// The referee's process is gone, with all that it had not recorded, and another one goes on later.
struct PlannedCut {
    Duration at{};           // after it began
    std::size_t commit = 0;  // instead: behind that commit of it, of which nobody is told; 0: none
    Duration down{};         // until the other one begins
};

// All that a run is made of, drawn from its seed.
struct RunPlan {
    std::uint64_t seed = 0;
    referee::config::TournamentConfig tournament;
    std::vector<referee::config::BotConfig> bots;
    std::vector<BotPlan> plans;  // by bot
    std::string class_password;  // empty: nobody may register
    std::size_t games_at_once = 1;
    std::size_t cores = 1;
    Duration join_within{};
    Duration commit_slowest{};
    std::size_t commits_good = 0;  // 0: the disk never fails
    std::size_t stalls = 0;        // how often the referee stands still
    bool stopped = false;          // somebody interrupts it
    std::vector<PlannedOrder> orders;
    std::vector<PlannedCut> cuts;  // one after the other, each in another life
    Duration stopped_after{};      // zero: at any time
};

// By lot, below `most`, which is more than zero.
Duration random_below(Random& random, Duration most);

// As a referee reads it: without those who are to register.
referee::config::Config config_of(const RunPlan& plan);
// Makes a ladder one to which bots come that the config doesn't name, and register; and where those
// that it names enter when they come, now and then.
void add_registrations(RunPlan& plan);

RunPlan draw_plan(std::uint64_t seed);
// A ladder, which somebody stops after a while: bots that rest, and some that come and go.
RunPlan draw_ladder(std::uint64_t seed);
// A tournament of bots that play well, and of dead ones: some never come, some never answer.
RunPlan draw_dead(std::uint64_t seed);

}  // namespace tests::sim
