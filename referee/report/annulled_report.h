#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/report/ledger.h"

namespace referee::report {

// Plays of the match that were annulled by order, as a member "annulled": their ids and why;
// nothing where there are none.
void write_annulled(protocol::json::Writer& writer, const Ledger& ledger, std::uint64_t match);
// The same of all matches in which the bot sits.
void write_annulled_of(protocol::json::Writer& writer, const Ledger& ledger,
                       standings::Entrant entrant);
// For people, a sentence for each play of the match.
std::vector<std::string> annulled_sentences(const Ledger& ledger, std::uint64_t match);

}  // namespace referee::report
