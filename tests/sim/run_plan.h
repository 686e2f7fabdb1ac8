#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/config/config.h"
#include "tests/sim/simulated_bot.h"
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

// The referee's process is gone, with all that it had not recorded. Later another process goes on.
struct PlannedCut {
    Duration at{};           // after the process began
    std::size_t commit = 0;  // instead of `at`: right behind its commit of this number
    Duration down{};         // until the other process begins
};

// All that a run is made of, drawn from its seed.
struct RunPlan {
    std::uint64_t seed = 0;
    referee::config::TournamentConfig tournament;
    std::vector<referee::config::BotConfig> bots;
    std::vector<BotPlan> plans;     // by bot
    std::string class_password;     // empty: nobody may register
    std::size_t games_at_once = 1;  // 0: with launched bots as many as cores, and all others
    std::size_t cores = 1;
    Duration join_within{};
    Duration commit_slowest{};
    std::size_t commits_good = 0;  // 0: the disk never fails
    std::size_t stalls = 0;        // how often the referee stands still
    bool stopped = false;          // somebody stops it
    std::vector<PlannedOrder> orders;
    std::vector<PlannedCut> cuts;  // one after the other, each in another life of the referee
    Duration stopped_after{};      // of a run that is stopped; zero: the time is drawn
};

// The config as a referee reads it: bots that are to register are not in it.
referee::config::Config config_of(const RunPlan& plan);
// Lets some bots of a ladder register: the config doesn't name them. Now and then the ladder's
// field is empty at first, so that the others too enter when they come.
void add_registrations(RunPlan& plan);
// Adds bots that register, perhaps only once a config brings the class password, and orders that
// let them in. Where the format takes nobody in, they look on.
void add_newcomers(RunPlan& plan);

RunPlan draw_plan(std::uint64_t seed);
// A ladder that somebody stops after a while: its bots rest, and some of them come and go.
RunPlan draw_ladder(std::uint64_t seed);
// A tournament of bots that play well and of dead ones: some never come, some never answer.
RunPlan draw_dead(std::uint64_t seed);
// A run in which everything comes together: a ladder, a tournament or one with dead bots, orders,
// bots that register, configs that are read again, and cuts; some cuts follow close upon a reload
// or an order.
RunPlan draw_mixed(std::uint64_t seed);

// One of these kinds, with options under which a run stays short.
referee::formats::FormatOptions draw_options(Random& random,
                                             const std::vector<referee::formats::FormatKind>& kinds,
                                             std::size_t seats, const engines::Game& game);

// Whether the plan's bots can play the format.
bool fits(const referee::formats::FormatConfig& format, const RunPlan& plan,
          const engines::Game& game);

}  // namespace tests::sim
