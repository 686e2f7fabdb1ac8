#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/tournament/scheduler/phase.h"
#include "tests/sim/world.h"

namespace tests::sim {

// The result of a run, for the checks and for the summary.
struct RunReport {
    std::optional<referee::scheduler::SchedulerEnding> ending;
    std::vector<std::string> complaints;  // empty: every invariant held
    std::string journal;                  // bytes
    Duration took{};                      // until the referee ended
    std::size_t games = 0;                // that count
    std::size_t annulled = 0;
    std::size_t forfeited = 0;
    std::size_t turns = 0;
    std::size_t faults = 0;
    std::size_t races = 0;   // answers that were recomputed from their stamps
    std::size_t early = 0;   // moves that came before their turns, and answered them
    std::size_t states = 0;  // bots' own states that were compared
    std::size_t connections = 0;
    std::size_t orders = 0;    // that were taken
    std::size_t repeated = 0;  // orders: the referee was gone before it answered
    // Rounds of a Swiss that were searched for bots that were let in.
    std::size_t rounds_of_admitted = 0;
    std::size_t matches = 0;      // that ended
    std::size_t dropped = 0;      // of a ladder
    std::size_t withdrawn = 0;    // as idle
    std::size_t cuts = 0;         // lives of the referee that were cut off
    std::size_t interrupted = 0;  // games
    std::size_t registered = 0;   // bots
    std::size_t reloads = 0;      // configs that a referee has taken while it ran
    std::size_t refused = 0;      // configs that were not
    std::size_t ruled = 0;        // matches whose result the arbiter set
    std::size_t by_hand = 0;      // matches that the arbiter set and that were drawn
    std::size_t tournaments = 0;  // that were begun
    std::size_t full = 0;         // games that took the last place for those with launched bots
    std::set<std::string> out;    // bots that were withdrawn as idle, once or more
};

}  // namespace tests::sim
