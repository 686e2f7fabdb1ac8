#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/contest/standings/standings.h"
#include "referee/report/ratings.h"

namespace referee::report {

struct Certainty;

// The lines of the standings, what stands beside their points, and the sentences below them.

// A bot's own matches, counted.
struct Tally {
    std::uint64_t won = 0, drawn = 0, lost = 0;
};

// A match as one of its bots sees it.
struct Appearance {
    const formats::MatchResult* match = nullptr;
    std::size_t seat = 0;
};

// A line of the standings.
struct Row {
    std::size_t rank = 0;  // 0: none, of a house bot
    standings::Entrant entrant = 0;
    Tally tally;
    std::vector<std::string> cells;       // by tie-break; "-0": no value
    std::vector<Appearance> appearances;  // in the order of the matches
    std::vector<formats::Bye> byes;
};

// "3"; "house" of who has no rank.
std::string rank_text(std::size_t rank);

// Those who are opponents alone: a gauntlet's, and house bots.
std::vector<standings::Entrant> unranked_of(const Ledger& ledger);

// The standings in their order, house bots behind all others, and those without a match last.
// Formats with places of their own are ordered by these, all others by points and tie-breaks. The
// ledger must outlive the rows.
std::vector<Row> rows_of(const Ledger& ledger);

// The standings, counted from the field, its matches and its byes.
standings::Standings folded(const Ledger& ledger);

// The members "kind" and "points" of a bye.
void write_bye(protocol::json::Writer& writer, const formats::Bye& bye);

inline constexpr int share_decimals = 3;  // of shares and likelihoods

// A column beside the points.
struct RatingColumn {
    std::string_view name;           // in JSON and CSV
    std::string_view heading;        // in tables for people
    std::vector<std::string> cells;  // by row of the standings; empty: no value
};

// What the format itself ranks by, where that isn't points: a ladder's rating, or the share of an
// adaptive tournament with half of its 95% interval; of other formats nothing.
std::vector<RatingColumn> figure_columns(const Ledger& ledger, std::span<const Row> rows);
// That in words; empty where there are no such columns.
std::string figure_sentence(const Ledger& ledger);

// Elo: the rating, half of its 95% interval, and how likely the bot is stronger than the next one
// in the standings. Pods: mean and deviation of the skill.
std::vector<RatingColumn> rating_columns(const Ratings& ratings, std::span<const Row> rows);

// How many matches there were, and how many of them tell something new; empty where there were
// none.
std::string matches_sentence(const Ratings& ratings);

// Which bots' ratings can be compared, where some of the field never met, not even through others;
// otherwise empty.
std::string groups_sentence(const Ratings& ratings);

// How sure the order of the standings is; empty where nothing is known.
std::string order_sentence(const Ledger& ledger, std::span<const Row> rows, const Ratings& ratings);

// The same in a few words.
std::string sureness(std::span<const Row> rows, const Ledger& ledger, const Ratings& ratings);

// The state of a sequential test; empty where there is none.
std::string test_sentence(const Ledger& ledger, const Ratings& ratings);

// What seats are worth; empty where no seat's worth is beyond chance. Of several the surest is
// told.
std::string seats_sentence(const Certainty& certainty);

}  // namespace referee::report
