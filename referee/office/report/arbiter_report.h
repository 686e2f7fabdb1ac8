#pragma once

#include <string>
#include <vector>

#include "referee/office/report/ledger.h"

namespace referee::report {

// Whether a Swiss is paired by all of FIDE's rules: with those of colours.
bool is_fide_pairing(const Ledger& ledger);

// What an arbiter ordered and holds: a sentence each, with its reason and who ordered it.
std::vector<std::string> arbiter_sentences(const Ledger& ledger);

}  // namespace referee::report
