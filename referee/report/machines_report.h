#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/contest/certainty/machine_effect.h"
#include "referee/tournament/contests/matches.h"

namespace referee::report {

// Are the machines alike? What a tournament's games tell of those that played them.
struct MachineRow {
    std::string name;  // empty: the referee itself
    // As its jobs told it; several where that changed.
    std::set<std::string> processors;
    std::set<std::string> kernels;
    std::set<std::string> sandboxes;
    std::set<std::uint64_t> cores;
    std::int64_t calibration_us = 0;  // the middle one; 0: none was told
    std::uint64_t matches = 0;
    std::uint64_t games = 0;
    std::uint64_t annulled = 0;  // beside these: by its own trouble
    std::uint64_t seats = 0;     // bots' games: a game of two bots is two of them
    std::uint64_t faulty = 0;    // of these, with a fault, such as a move that came too late
    std::int64_t turns = 0;
    std::int64_t used_us = 0;
    std::array<certainty::MachineEffect, certainty::machine_measures> effects{};  // by measure
};

// By name. May take long.
std::vector<MachineRow> machines_report(const contests::MachinePlays& plays);

// What follows of it, a sentence each.
std::vector<std::string> machine_sentences(const std::vector<MachineRow>& machines);
// Those that differ beyond chance.
std::vector<std::string> unlike_machines(const std::vector<MachineRow>& machines);
// Members "level" and "hosts" (configs/schemas/machines.json).
void write_machines(protocol::json::Writer& writer, const std::vector<MachineRow>& machines);

}  // namespace referee::report
