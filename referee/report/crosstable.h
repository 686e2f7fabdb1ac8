#pragma once

#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// Who met whom with what result: one numbered line for each bot, in the order of the standings.
// Where everybody meets everybody and the field is small, there is a column for each bot; otherwise
// a column for each round. Those without a place, a leaderboard's opponents, have numbers behind
// it.
struct CrosstableText {
    std::string json;  // "crosstable" in configs/schemas/web.json
    std::string csv;
    std::string text;  // for people, with a legend
};
CrosstableText crosstable_text_of(const Ledger& ledger);

}  // namespace referee::report
