#pragma once

#include <string>

#include "protocol/json/writer.h"
#include "referee/report/ratings.h"

namespace referee::report {

// An adaptive tournament, which plays until its question is answered.

// Of an adaptive tournament: works out what all results of the ledger tell, and orders it by that.
// Its schedule looks only now and then.
void look_again(Ledger& ledger);

// What an adaptive tournament was asked, and how far that is answered; empty for other formats.
std::string question_sentence(const Ledger& ledger, const Ratings& ratings);

// The same as a member "adaptive"; nothing for other formats.
void write_question(protocol::json::Writer& writer, const Ledger& ledger, const Ratings& ratings);

}  // namespace referee::report
