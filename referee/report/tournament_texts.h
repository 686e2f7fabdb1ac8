#pragma once

#include <optional>
#include <string>

#include "referee/report/ledger.h"

// What the files of a tournament hold, as texts; a source each.

namespace referee::report {

// ---- standings_report.cpp ------------------------------------------------------------------

// The standings of a tournament. They depend only on the recorded results: they say after how many
// matches they were written, hold no times of day, and the same results in any order of arrival
// give the same bytes.
struct StandingsText {
    std::string json;
    std::string csv;
    // For people: the table, the cross table of a small field, and how sure the order is.
    std::string text;
    std::string statistics;  // for people: ratings, intervals, and all that is known of the order
};
StandingsText standings_of(const Ledger& ledger);

// ---- crosstable.cpp ------------------------------------------------------------------------

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

// ---- pairings_report.cpp -------------------------------------------------------------------

// Every round: its boards or pods with their seats, the results and the byes. Matches without a
// result are in it too, without points.
struct PairingsText {
    std::string json;
    std::string text;  // for people
};
PairingsText pairings_of(const Ledger& ledger);

// ---- trf_file.cpp --------------------------------------------------------------------------

// The tournament as a FIDE report file (TRF26), where such a file can hold it: matches of two, at
// most one in each round for each bot. Pairing numbers are those by which the rounds were drawn, so
// that a checker can derive a Swiss again. Of a Swiss only finished rounds are written.
std::optional<std::string> trf_file_of(const Ledger& ledger);

}  // namespace referee::report
