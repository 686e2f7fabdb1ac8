#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/verdict/played.h"
#include "referee/store/records/journal.h"

namespace referee::grading {

// What the records of a store tell of the games of a plan.
class PlayedRecords {
 public:
    // `games`: the run's folder, where the bots' own words lie.
    explicit PlayedRecords(std::string games = {}) : games_(std::move(games)) {}
    const std::string& games() const { return games_; }

    void take(const records::Record& record);

    // Of one submission or reference. Where it isn't finished, or an opponent did something wrong,
    // it has trouble. What the bot said of a move that was a fault stands behind that fault.
    verdict::PlayedSeries played(const Plan& plan, const PlannedSeries& series) const;
    // Whether a tournament of that id has come to its end.
    bool finished(const std::string& tournament) const;
    // By tournament: how many of its player's last games ended without an answer in time.
    std::map<std::string, std::size_t> unanswered(const Plan& plan) const;
    // What the clocks charged it for all its games that count.
    Duration own_time(const Plan& plan, const std::string& player) const;
    // The names of the program and the sandbox with which it played; of the last game.
    LaunchedProgram program_of(const config::TournamentConfig& tournament,
                               const std::string& player) const;

 private:
    struct Tournament {
        std::map<std::uint64_t, std::vector<std::string>> matches;  // bots by seat
        std::map<GameKey, GameResult> games;                        // that count
        std::map<GameKey, GameResult> annulled;                     // by order
        bool finished = false;
        // Why it was ended before its time, by the program's own doing; empty: it was not.
        std::string given_up;
        std::map<std::string, std::string> withdrawn;  // by bot: why
    };
    std::string games_;
    std::map<std::string, Tournament, std::less<>> tournaments_;
};

// How often series of games came to nothing by the referee's own trouble: the next grading plays
// them again under another id. Kept in a file.
class Tries {
 public:
    explicit Tries(std::string file) : file_(std::move(file)) {}

    // What is wrong with the file, or nothing. A missing one is empty.
    std::string read();
    // Why it can't be written, or nothing.
    std::string write() const;
    void count(const std::string& series) {
        ++counts_[series];
        changed_ = true;
    }
    const std::map<std::string, unsigned>& counts() const { return counts_; }

 private:
    std::string file_;
    std::map<std::string, unsigned> counts_;
    bool changed_ = false;
};

}  // namespace referee::grading
