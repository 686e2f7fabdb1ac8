#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engines/registry.h"

// Driving an engine by hand: no bots, no clock, no network.

namespace referee::trace {

// Why a file was refused: one line, "moves.ndjson:3: moves[1]: expected ..., found ...".
struct Refusal {
    std::string message;
};

// A game that is set up, as a setup file says.
struct Setup {
    const engines::Game* game = nullptr;
    std::uint32_t seed = 1;
    std::string params;  // as given, JSON text; empty where left out
    std::unique_ptr<engines::State> state;
};

// Reads {"game": ..., "seed": ..., "params": {...}}. `file` is for messages.
std::variant<Setup, Refusal> read_setup(const std::string& text, const std::string& file,
                                        const engines::Registry& registry);

// Plays the lines of moves and writes the trace. What was traced before a refusal stands in `out`.
std::optional<Refusal> trace(Setup& setup, std::istream& moves, const std::string& moves_file,
                             std::ostream& out);

// What playing a replay again found.
struct ReplayVerdict {
    std::string game_id;
    std::int64_t turns = 0;
    std::vector<std::string> differences;  // empty: all agrees
};

// Plays a replay (see referee/games/play/README.md) again and compares all that the engine decides.
std::variant<ReplayVerdict, Refusal> check_replay(std::istream& replay, const std::string& file,
                                                  const engines::Registry& registry);

}  // namespace referee::trace
