#pragma once

#include <optional>
#include <string>

#include "referee/office/report/ledger.h"

namespace referee::report {

// The tournament as a FIDE report file (TRF26), where it is one that such a file can tell: matches
// of two, at most one a round for each. Pairing numbers are those that the rounds were drawn by, so
// that a checker derives a Swiss again; of that the rounds that are over are written.
std::optional<std::string> trf_file_of(const Ledger& ledger);

}  // namespace referee::report
