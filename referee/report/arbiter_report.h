#pragma once

#include <string>
#include <vector>

#include "referee/report/ledger.h"

namespace referee::report {

// Why a Swiss is not paired by all of FIDE's rules; empty where it is.
std::string no_fide_pairing(const Ledger& ledger);

// Whether an arbiter set this match before its round was drawn.
bool is_by_hand(const Ledger& ledger, const formats::Pairing& drawn);

// What an arbiter ordered and holds: a sentence each, with its reason and who ordered it.
std::vector<std::string> arbiter_sentences(const Ledger& ledger);

}  // namespace referee::report
