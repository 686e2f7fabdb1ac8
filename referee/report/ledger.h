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
#include "referee/tournament/contests/contest_snapshot.h"

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

    const std::string& name(formats::Entrant entrant) const { return entries[entrant].name; }
};

// What is recorded of a contest so far. Copies every result, which takes time: call it beside the
// loop's thread, where games are judged.
Ledger ledger_of(const contests::ContestSnapshot& contest);

// Whether the bot in that seat took part in the match.
inline bool came(const formats::MatchResult& match, std::size_t seat) {
    return match.absent.empty() || !match.absent[seat];
}

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
