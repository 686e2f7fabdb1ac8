#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/journal/journal.h"
#include "referee/tournament/schedule.h"

namespace referee::scheduler {

using tournament::Entrant;

// A game that can be begun as soon as its bots are free.
struct GamePlan {
    GameKey key;
    std::uint32_t round = 1;
    std::uint32_t games_max = 1;     // of its match
    std::size_t setup = 0;           // index into the tournament's setups
    std::uint32_t seed = 1;
    std::vector<Entrant> entrants;   // by seat
};

// One tournament being played: its schedule, its matches and what they came to. Pure: it starts
// nothing and knows no time; the scheduler plays what it hands out and tells it the results. What
// it says depends on the config and the results told, not on the order of results within a round.
class Contest {
 public:
    // Requires a checked config; `game` outlives the contest.
    Contest(const config::TournamentConfig& config, const std::vector<config::BotConfig>& bots,
            const engines::Game& game);

    // Draws matches until `window` games wait to be begun, or nothing more can be drawn now. What
    // was drawn is to be recorded before any of its games is.
    std::vector<journal::Record> draw(std::size_t window);
    // Games that wait to be begun, in the order in which they should be.
    const std::deque<GamePlan>& waiting() const { return waiting_; }
    // Takes the i-th of them: it is being played now.
    GamePlan take(std::size_t i);

    // A game has ended and is recorded. An annulled one waits to be played again, so often.
    // Returns the match's result when the game was its last.
    std::optional<tournament::MatchResult> finished(const GameResult& result);

    // Every match has its result.
    bool over() const { return over_ && matches_.empty(); }
    // Why it can't go on, where that is so: a game was annulled again and again.
    const std::optional<std::string>& stuck() const { return stuck_; }

    const config::TournamentConfig& config() const { return config_; }
    const engines::Game& game() const { return game_; }
    std::size_t entrants() const { return names_.size(); }
    const std::string& name(Entrant entrant) const { return names_[entrant]; }
    const std::vector<tournament::Entry>& entries() const { return entries_; }
    // Where everybody stands in formats that rank by something else than points.
    std::optional<std::vector<std::size_t>> places() const { return schedule_->places(); }
    // Why it ended before its last round; empty where it didn't.
    std::string ended_early() const { return schedule_->ended_early(); }
    // Matches that are drawn and have no result, in the order of their ordinals.
    std::vector<tournament::Pairing> open_matches() const;
    std::optional<std::uint64_t> matches_total() const { return schedule_->matches_total(); }
    // In the order of their ordinals.
    const std::map<std::uint64_t, tournament::MatchResult>& results() const { return results_; }
    const std::vector<tournament::Bye>& byes() const { return byes_; }
    std::uint64_t games_played() const { return games_played_; }
    std::uint32_t round() const { return round_; }

 private:
    struct Match {
        tournament::Pairing pairing;
        std::vector<GameResult> results;
        std::uint32_t next_number = 1;
        std::uint32_t in_play = 0;  // handed out, without a result
    };
    void plan_games(Match& match);
    GamePlan plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const;

    config::TournamentConfig config_;
    const engines::Game& game_;
    std::vector<std::string> names_;
    std::vector<tournament::Entry> entries_;
    std::unique_ptr<tournament::Schedule> schedule_;
    std::map<std::uint64_t, Match> matches_;  // drawn, not over
    std::map<std::uint64_t, tournament::MatchResult> results_;
    std::vector<tournament::Bye> byes_;
    std::deque<GamePlan> waiting_;
    std::optional<std::string> stuck_;
    std::uint64_t games_played_ = 0;
    std::uint32_t round_ = 0;
    bool over_ = false;
};

}  // namespace referee::scheduler
