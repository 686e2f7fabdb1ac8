#pragma once

#include <iosfwd>
#include <optional>
#include <string>

// `referee pair`: the next round of a report file, or a check of the rounds in it.

namespace referee::cli {

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
