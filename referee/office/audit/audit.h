#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/office/audit/recording.h"
#include "referee/office/audit/rehearsal.h"

namespace referee::audit {

inline constexpr std::size_t runs_min = 2;  // one tells nothing of chance
inline constexpr std::size_t runs_default = 2;
inline constexpr std::size_t runs_max = 100;

enum class Verdict : std::uint8_t {
    as_recorded,  // each run made the recorded moves
    otherwise,    // all runs made the same moves, which are not those of the record
    by_chance,    // runs differ from each other
    broken_off,   // a run didn't come to its end, and those that did tell nothing worse
};
std::string_view name_of(Verdict verdict);

// A turn in which something differs: by its place in the runs' turns.
using Turns = std::vector<std::size_t>;

struct Findings {
    Verdict verdict = Verdict::as_recorded;
    std::size_t compared = 0;        // turns that every run was asked in
    Turns between_runs;              // not every run answered alike
    std::vector<Turns> from_record;  // by run: its answer is not the recorded one
    Turns all;                       // one or the other
};

// Moves are compared as JSON values: spaces and the order of members don't count. No move is alike
// no move. Requires: at least one run, all of the same recording.
Findings compare(const std::vector<Run>& runs);

// All that an audit's report tells.
struct Audit {
    const Recording* recording = nullptr;
    engines::Seat seat = 0;
    std::string command;
    std::string program;  // the name of the program that was audited; empty: nobody can tell
    std::vector<Run> runs;
    Findings findings;
};

std::string as_text(const Audit& audit);
// As configs/schemas/audit.json says.
std::string as_json(const Audit& audit);

}  // namespace referee::audit
