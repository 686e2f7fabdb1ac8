#pragma once

#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// Who met whom with what result: one numbered line for each bot, in the order of the standings.
// Where everybody meets everybody and the field is small, there is a column for each bot; otherwise
// a column for each round.
struct CrosstableText {
    std::string csv;
    std::string text;  // for people, with a legend
};
CrosstableText crosstable_text_of(const Ledger& ledger);

}  // namespace referee::report
