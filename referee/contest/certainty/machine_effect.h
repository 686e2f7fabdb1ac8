#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "referee/contest/certainty/significance.h"

namespace referee::certainty {

// The chance of saying of any machine, by any measure, that it differs though all are alike.
inline constexpr double machines_alpha = 0.05;
// Many matches make sure of differences that matter to nobody: less of a turn's time, or of bots'
// games, is none.
inline constexpr double machine_time_least = 0.01;
inline constexpr double machine_share_least = 0.001;

enum class MachineMeasure : std::uint8_t {
    time,    // the logarithm of what a turn was charged
    faults,  // whether anything was a fault, such as a move that came too late
};
inline constexpr std::size_t machine_measures = 2;

// A bot in a game.
struct MachineSeat {
    std::size_t player = 0;          // the same for the same program of the same bot
    std::optional<double> log_us{};  // of a turn, in the mean; nothing: it gave no move
    bool faulty = false;
};

struct MachineGame {
    std::uint64_t match = 0;  // games of one match on one machine stand together
    std::size_t machine = 0;
    std::vector<MachineSeat> seats{};
};

// Why nothing is said of a machine.
enum class NoComparison : std::uint8_t {
    told,
    alone,   // no other machine is left to compare it with
    few,     // too few matches: however they had gone, chance could have placed them so
    apart,   // hardly any of its bots played on others too
    nothing  // there was nothing of that kind anywhere
};

struct MachineEffect {
    std::size_t machine = 0;
    MachineMeasure measure = MachineMeasure::time;
    NoComparison untold = NoComparison::alone;
    // Here less elsewhere, of the same bots: of logarithms of time, or of parts of the games. Told
    // where `untold` says so.
    double difference = 0;
    Interval interval{};  // 95%, for this one alone
    // Of faults: in so much of a bot's games there, whoever it is.
    double share = 0;
    Interval share_interval{};  // 95%
    double p = 1;               // corrected for all machines and measures
    bool real = false;  // p is at most machines_alpha, and the difference no smaller than the least
};

// Of each machine each measure, in the order of the numbers.
//
// A match is the sum of how its bots did beside their own means over all machines: that takes off
// what bots are. If all machines are alike, it could as well have been played on any: so the test
// is how often matches that are dealt to the machines by lot (with a seed that is fixed) differ as
// much. It takes matches to have been given to machines without a look at how long they would take,
// and is corrected by Holm's way. The machine that differs most surely is set aside, and the others
// are compared without it, for beside a slow machine all others look fast. The interval takes the
// means of matches for bell curves.
// Requires: players are below `players`, machines below `machines`.
std::vector<MachineEffect> compare_machines(std::size_t players, std::size_t machines,
                                            std::span<const MachineGame> games);

}  // namespace referee::certainty
