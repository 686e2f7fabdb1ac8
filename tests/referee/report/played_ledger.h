#pragma once

#include <functional>
#include <string>
#include <vector>

#include "referee/report/ledger.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/tournament/contests/contest_player.h"

namespace referee::report {

// Changes a result before it is told, for example into a forfeit.
using Twist = std::function<void(formats::MatchResult&)>;

// It has that game alone, which came to its scores.
void count_game(formats::MatchResult& result, const standings::CountedGame& game);

// A tournament of so many bots, called bot1, bot2 ..., played to its end by strengths.
Ledger played_ledger(const formats::FormatConfig& format, std::vector<formats::Entry> entries,
                     std::uint32_t seed, const formats::Strength& strength, const Twist& twist = {},
                     std::size_t matches_most = SIZE_MAX);
// A format that has these options and nothing else of its own.
formats::FormatConfig format_with(formats::FormatOptions options);

using formats::lots;

// The result of a game: the scores by seat in whole points. A negative score: that bot never came.
using GameScores = std::function<std::vector<int>(const contests::GamePlan&)>;

// A contest from a config's text, of bots a, b, c ... that dial in. It is played to its end, and
// what a journal would keep is kept. The text has the tournament's members except its id.
class PlayedConfig {
 public:
    // Where it `withdraws`, bots that stay away are withdrawn as the config says.
    PlayedConfig(std::size_t bots, const std::string& members, const GameScores& scores,
                 bool withdraws = false);

    Ledger ledger() const { return ledger_of(contest_.snapshot()); }
    // The same ledger, made only from the records.
    Ledger resumed() const;
    // Every game that was played, in order.
    const std::vector<contests::GamePlan>& games() const { return games_; }

 private:
    config::TournamentConfig config_;
    contests::Contest contest_;
    contests::Player player_{contest_, 1};
    std::vector<contests::GamePlan> games_;
};

// Read again, the report file has the same places and points; of a Swiss also the same tie-breaks,
// and pairings that FIDE's rules give.
void expect_told_by_trf(const Ledger& ledger, const std::string& text);

// A cell of the standings, as the files show it; empty where there is none.
std::string cell_of(const Ledger& ledger, const std::string& bot, standings::TieBreak column);

}  // namespace referee::report
