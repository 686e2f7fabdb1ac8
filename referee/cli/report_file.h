#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "referee/contest/trf/trf.h"

// A FIDE report file as a command's argument; and `referee trf pair`: its next round, or a check of
// the rounds in it.

namespace referee::cli {

// Reads the file ("-": the standard input). A mistake goes to `err` as one line, with line and
// column where it is in the text; then nothing is returned. Where a player's written points are not
// those of the results, `err` says so, and the results count.
std::optional<trf::Document> report_in(const std::string& file, std::ostream& err);

struct PairArguments {
    std::string file;
    bool check = false;                 // derive the rounds played again
    std::optional<std::string> output;  // a file for what would go to `out`
};

inline constexpr int pair_done = 0;
inline constexpr int pair_refused = 1;    // no legal pairing; differences found
inline constexpr int pair_malformed = 2;  // the file can't be read, or not as a report file
inline constexpr int pair_trouble = 3;    // the output can't be written

// Prints the number of pairs, then `white black` for each pair in board order, and last `ID 0` for
// the bye; or the checker's report. Errors go to `err` as one line. Returns the exit status.
int pair_report(const PairArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace referee::cli
