#pragma once

#include <functional>
#include <string>
#include <vector>

#include "referee/arena/scheduler/contest.h"
#include "referee/office/report/contest_ledger.h"

namespace referee::report {

// What a game comes to: the scores by seat in whole points. A negative one: that bot never came.
using GameScores = std::function<std::vector<int>(const scheduler::GamePlan&)>;

GameResult told(const scheduler::GamePlan& plan, const std::vector<int>& scores);

// A contest as a config's text has it, of bots a, b, c ... that dial in, played to its end, with
// what a journal would have kept. The text has the tournament's members but its id.
class PlayedConfig {
 public:
    // Where it `withdraws`, those who stay away are out as the config says.
    PlayedConfig(std::size_t bots, const std::string& members, GameScores scores,
                 bool withdraws = false);

    Ledger ledger() const { return ledger_of(contest_.snapshot()); }
    // The same, from its records alone.
    Ledger resumed() const;
    // Every game that was played, in order.
    const std::vector<scheduler::GamePlan>& games() const { return games_; }

 private:
    void keep(std::vector<journal::Record> records);
    void play(const GameScores& scores, bool withdraws);

    config::TournamentConfig config_;
    scheduler::Contest contest_;
    std::vector<journal::Record> records_;
    std::vector<scheduler::GamePlan> games_;
};

// A cell of the standings, as the files show it; empty where there is none.
std::string cell_of(const Ledger& ledger, const std::string& bot, standings::TieBreak column);

}  // namespace referee::report
