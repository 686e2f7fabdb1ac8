#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"

// The cells of reports as text, which is the same on every machine.

namespace referee::report {

// "2", "1.5", "-0.5".
std::string score_text(engines::Score score);

// With exactly so many decimals: "12.30".
std::string fixed_text(double value, int decimals);

// Appends a line of a CSV file; cells with commas, quotes or line ends are quoted,
// and a cell that a spreadsheet would run ("=1+1") begins with an apostrophe.
void add_csv_line(std::string& text, const std::vector<std::string>& cells);

}  // namespace referee::report
