#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "referee/contest/trf/trf.h"

// A FIDE report file as a command's argument.

namespace referee::cli {

// Reads the file ("-": the standard input). A mistake goes to `err` as one line, with line and
// column where it is in the text; then nothing is returned. Where a player's written points are not
// those of the results, `err` says so, and the results count.
std::optional<trf::Document> report_in(const std::string& file, std::ostream& err);

}  // namespace referee::cli
