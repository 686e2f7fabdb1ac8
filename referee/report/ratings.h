#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/gauntlet.h"
#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/rating_network.h"
#include "referee/contest/rating/running_ratings.h"
#include "referee/report/ledger.h"

namespace referee::report {

// With fewer matches for each bot, nothing is said about the order.
inline constexpr std::size_t matches_a_bot_min = 3;

// What stands beside the points: ratings, and how sure the order is. A match to which somebody
// didn't come is rated as if that bot had not been in it. Matches that only repeat games are rated
// once.
struct Ratings {
    // One of the two, or neither where nobody met anybody.
    std::optional<rating::EloTable> elo;  // all matches have two seats
    std::vector<rating::Skill> skills;    // by entrant; pods: Weng-Lin in the order of the matches
    std::vector<std::uint64_t> rated;     // by entrant: matches that were rated, each once

    std::size_t matches = 0;   // with games: all who sat in them came
    std::size_t distinct = 0;  // of these, how many don't only repeat games of others
    std::size_t gameless = 0;  // with a result and without a game: forfeits, an arbiter's word

    // By entrant; nothing in formats that rank by a bracket, or where nothing was played. For
    // leaderboards they come from the games of the list, for other formats from the matches.
    std::optional<rating::RankIntervals> ranks;
    std::size_t draws = 0;  // how many draws they come from; 0: there were too few matches
    std::size_t drawn_from = 0;

    std::optional<formats::GauntletState> sprt;  // of a gauntlet with bounds
    // Of an adaptive tournament; null where the ledger has no look at it.
    std::shared_ptr<const formats::AdaptiveState> adaptive;
};

Ratings ratings_of(const Ledger& ledger);

// The scores of a game that all bots play, in halves: of a number of a list, or of a seed where
// games are played alone. Who played it in several matches stands there as often.
using ListedGame = std::vector<std::pair<standings::Entrant, double>>;
// In their order; one that only repeats others, move by move and for everybody, counts once. Only
// entrants that count are in them.
std::vector<ListedGame> listed_games(const Ledger& ledger,
                                     const std::function<bool(standings::Entrant)>& counts);

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

// ---- adaptive_report.cpp: a tournament that plays until its question is answered -----------

// Of an adaptive tournament: works out what all results of the ledger tell, and orders it by that.
// Its schedule looks only now and then.
void look_again(Ledger& ledger);

// What an adaptive tournament was asked, and how far that is answered; empty for other formats.
std::string question_sentence(const Ledger& ledger, const Ratings& ratings);

// The same as a member "adaptive"; nothing for other formats.
void write_question(protocol::json::Writer& writer, const Ledger& ledger, const Ratings& ratings);

}  // namespace referee::report
