#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/report/ledger.h"

namespace referee::report {

// What an arbiter ordered, and what that does to a tournament.

// What an arbiter ordered and holds: a sentence each, with its reason and who ordered it.
std::vector<std::string> arbiter_sentences(const Ledger& ledger);

// Why a Swiss is not paired by all of FIDE's rules; empty where it is.
std::string no_fide_pairing(const Ledger& ledger);

// Whether an arbiter set this match before its round was drawn.
bool is_by_hand(const Ledger& ledger, const formats::Pairing& drawn);

// Plays of the match that were annulled by order, as a member "annulled": their ids and why;
// nothing where there are none.
void write_annulled(protocol::json::Writer& writer, const Ledger& ledger, std::uint64_t match);
// The same of all matches in which the bot sits.
void write_annulled_of(protocol::json::Writer& writer, const Ledger& ledger,
                       standings::Entrant entrant);
// For people, a sentence for each play of the match.
std::vector<std::string> annulled_sentences(const Ledger& ledger, std::uint64_t match);

}  // namespace referee::report
