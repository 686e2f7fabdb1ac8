#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/game/result/game_result.h"

namespace referee::run {

// How long a bot may be played with, in all tournaments of a run together.
struct TimeLimit {
    Duration its_own{};  // what its clocks charge it: its thinking alone
    Duration in_all{};   // of its games in this run, from beginning to end: others think there too
    Duration used{};     // of its own, in games of earlier runs
};

// After so many games in a row that ended unanswered no other game of the tournament is played.
inline constexpr std::size_t unanswered_max = 3;
// Then it is aborted for this.
inline constexpr const char* unanswered_reason = "games in a row ended without an answer in time";
// And a test of how good a bot is, when the bot was withdrawn from it, for this: the games of the
// others tell nothing.
inline constexpr const char* withdrawn_reason = "the program that is tested was withdrawn";

// Whether the game ended with a turn of the bot that it did not answer in time.
bool ended_unanswered(const GameResult& game, const std::string& bot);

// Keeps the times of bots that have a limit.
class BotTimes {
 public:
    // By the bot's name.
    explicit BotTimes(std::map<std::string, TimeLimit> limits) : limits_(std::move(limits)) {}

    void game_began(const std::vector<std::string>& bots, Instant now);
    // A game that doesn't count tells nothing of how long a bot thinks.
    void game_ended(const GameResult& game, Instant now);

    bool is_over(const std::string& bot, Instant now) const;
    // Those whose time is over, by name.
    std::vector<std::string> over(Instant now) const;
    // How long its games in this run took, from beginning to end.
    const std::map<std::string, Duration>& spans() const { return spans_; }

 private:
    std::map<std::string, TimeLimit> limits_;
    std::map<std::string, Duration> spans_;
    std::map<std::string, Instant> playing_;  // since when; a bot plays one game at a time
};

}  // namespace referee::run
