#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/config/config.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/schedule.h"
#include "referee/tournament/contests/contest_view.h"

namespace referee::report {

// All that the files of a tournament are written from: its config, its field, and what was
// recorded. The same ledger gives the same bytes.
struct Ledger {
    config::TournamentConfig config;
    std::vector<formats::Entry> entries;  // by entrant
    std::size_t late_entries = 0;         // the last of them: they came when rounds were drawn
    std::optional<std::uint32_t> rounds_planned{};
    std::vector<formats::MatchResult> results;  // in the order of their ordinals
    // Those that count for nobody, because one of their bots is withdrawn.
    std::vector<formats::MatchResult> dropped{};
    std::vector<formats::Pairing> open;              // drawn, without a result; likewise
    std::vector<formats::Bye> byes;                  // in the order in which they were given
    std::optional<std::vector<std::size_t>> places;  // of formats that have their own (brackets)
    std::optional<std::vector<double>> figures;      // of a ladder: the ratings that it ranks by
    // Of an adaptive tournament: what these results tell, and what its places come of.
    std::shared_ptr<const formats::AdaptiveState> adaptive;
    // With the reason; behind the end as Contest::left_early() says.
    std::map<formats::Entrant, std::string> withdrawn;
    std::string set_aside;  // games that were annulled again and again, and why; empty: none
    std::shared_ptr<const contests::ArbiterLog> arbiter;  // what was ordered; null: nothing
    // Games that counted and were annulled by order, with the reason; null: none.
    std::shared_ptr<const contests::AnnulledGames> annulled;
    std::uint64_t matches_played = 0;  // also those that are no more among the results
    bool finished = false;
    std::string ended_early;  // why it ended before its last round; empty where it didn't
};

struct Ratings;

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

// Every round: its boards or pods with their seats, the results and the byes. Matches without a
// result are in it too, without points.
struct PairingsText {
    std::string json;
    std::string text;  // for people
};
PairingsText pairings_of(const Ledger& ledger);

// The tournament as a FIDE report file (TRF26), where such a file can hold it: matches of two, at
// most one in each round for each bot. Pairing numbers are those by which the rounds were drawn, so
// that a checker can derive a Swiss again. Of a Swiss only finished rounds are written.
std::optional<std::string> trf_file_of(const Ledger& ledger);

// Why a Swiss is not paired by all of FIDE's rules; empty where it is.
std::string no_fide_pairing(const Ledger& ledger);

// Whether an arbiter set this match before its round was drawn.
bool is_by_hand(const Ledger& ledger, const formats::Pairing& drawn);

// What an arbiter ordered and holds: a sentence each, with its reason and who ordered it.
std::vector<std::string> arbiter_sentences(const Ledger& ledger);

// Plays of the match that were annulled by order, as a member "annulled": their ids and why;
// nothing where there are none.
void write_annulled(protocol::json::Writer& writer, const Ledger& ledger, std::uint64_t match);
// The same of all matches in which the bot sits.
void write_annulled_of(protocol::json::Writer& writer, const Ledger& ledger,
                       standings::Entrant entrant);
// For people, a sentence for each play of the match.
std::vector<std::string> annulled_sentences(const Ledger& ledger, std::uint64_t match);

// What an adaptive tournament was asked, and how far that is answered; empty for other formats.
std::string question_sentence(const Ledger& ledger, const Ratings& ratings);

// The same as a member "adaptive"; nothing for other formats.
void write_question(protocol::json::Writer& writer, const Ledger& ledger, const Ratings& ratings);

// Which bots' programs changed while the matches of a table were played, as far as results name
// what played.
struct ProgramChange {
    standings::Entrant entrant = 0;
    std::uint64_t matches = 0;   // in which its program is known
    std::uint64_t programs = 0;  // different ones
    std::uint64_t changes = 0;   // how often another one came, in the order of the games' ends
    std::uint64_t since = 0;     // the first match that the last program played
    std::uint64_t matches_since = 0;

    // So often that no figure is of one program.
    bool is_restless() const;
};
std::vector<ProgramChange> program_changes(const Ledger& ledger);

// A sentence for each.
std::vector<std::string> program_sentences(const Ledger& ledger);
// A member "program_changes"; nothing where no program changed.
void write_program_changes(protocol::json::Writer& writer, const Ledger& ledger);

}  // namespace referee::report
