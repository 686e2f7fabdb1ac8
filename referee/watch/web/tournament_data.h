#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/document.h"
#include "referee/game/result/game_result.h"

namespace referee::web {

// What pages ask of a tournament again and again: its table without matches, and its matches by
// pages, the newest first. Made of standings.json and pairings.json as they were read last.
class TournamentData {
 public:
    // As a visitor reads a bot's name.
    using ShownName = std::function<std::string(std::string_view)>;
    struct MatchesAsked {
        std::uint64_t before = UINT64_MAX;  // only matches with smaller numbers
        std::uint32_t round = 0;            // not 0: of this one, each page in their order
        std::string look;  // only where this stands in a name or in the match's id; empty: all
    };

    TournamentData() = default;
    // Texts of both files; either may be empty. `before` is what was read the last time.
    TournamentData(std::string_view standings, std::string_view pairings,
                   const TournamentData& before);

    bool has_table() const { return !head_.empty(); }
    // "table" in configs/schemas/web.json. `since` is the version that the visitor has, of which
    // only rows that differ are told; all, where it is none of the last ones.
    std::string table(std::string_view since) const;
    // "matches" in configs/schemas/web.json.
    std::string matches(const MatchesAsked& asked, const ShownName& shown) const;
    // What tells how sure the order is, as a JSON object.
    const std::string& certainty() const { return certainty_; }
    const std::string& tie_breaks() const { return tie_breaks_; }  // as a JSON array
    // A bot's whole row of the standings as JSON; empty: it has none.
    std::string_view row_of(std::string_view bot) const;
    // Calls for each match of the bot that is over, the first one first.
    void each_match_of(std::string_view bot,
                       const std::function<void(protocol::json::View match)>& call) const;
    // The first rows as the table has them, at most so many.
    std::vector<std::string_view> first_rows(std::size_t most) const;

    std::size_t bots() const { return rows_.size(); }
    std::size_t ranked() const { return ranked_; }  // so many have a rank: no house bot

    // The games that count, in their order; and of those that don't by order why.
    const std::vector<GameKey>& counted() const { return counted_; }
    const std::map<GameKey, std::string>& annulled() const { return annulled_; }
    // Who sat in the game's match, by seat; empty: it is not known here.
    std::vector<std::string> players_of(const GameKey& key) const;
    // Whether an arbiter set the result of the game's match.
    bool is_ruled(const GameKey& key) const;

 private:
    struct Row {
        std::string name;
        std::string text;   // of the table
        std::string whole;  // as the file has it
        std::uint64_t changed = 0;
    };
    struct Match {
        std::uint64_t number = 0;
        std::uint32_t round = 0;
        bool over = false;
        bool ruled = false;
        std::vector<std::string> names;
        std::string text;
    };
    const Match* match_of(const GameKey& key) const;  // null: it is not known here
    void read_standings(std::string_view text, const TournamentData& before);
    void read_pairings(std::string_view text);

    std::string head_;  // the table's members but its rows, without the brace behind
    std::string tie_breaks_;
    std::string certainty_;
    std::vector<Row> rows_;
    std::size_t ranked_ = 0;
    std::vector<Match> matches_;                 // in the order of their numbers
    std::map<std::uint32_t, std::string> byes_;  // by round, as JSON
    std::vector<GameKey> counted_;
    std::map<GameKey, std::string> annulled_;
    std::size_t ruled_ = 0;  // so many matches have an arbiter's result
    std::uint64_t version_ = 0;
    std::deque<std::string> tags_;  // of the last versions, the newest behind
};

// An output folder's crosstable.json, or what a visitor may read of it, as its crosstable.csv has
// it.
std::string csv_of_crosstable(std::string_view crosstable);

}  // namespace referee::web
