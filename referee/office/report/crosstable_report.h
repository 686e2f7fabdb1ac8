#pragma once

#include <string>

#include "referee/office/report/ledger.h"

namespace referee::report {

// Who met whom with what result: a line for each bot in the order of the standings, numbered. Where
// everybody meets everybody and the field is small, a column for each bot; else one for each round.
struct CrosstableText {
    std::string csv;
    std::string text;  // for people, with a legend
};
CrosstableText crosstable_text_of(const Ledger& ledger);

}  // namespace referee::report
