#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engines/game.h"
#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/game/result/game_result.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/verdict/grade.h"
#include "referee/store/records/records.h"

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

// ---- played_replays.cpp -------------------------------------------------------------------------

// What replays show of games that cost points. `games` is the run's folder, where they lie.

// What its pieces did, as the engine tells it of the game played again; nothing where it doesn't,
// or where there is no replay.
struct ToldPlay {
    std::string all;  // "; the ship moved in 3 of 49 turns"
    // What shows nothing of a map, each thing by itself: `it only ever answered "D" (down)`.
    std::vector<std::string> in_kind;
};
ToldPlay told_play(const engines::Game& rules, const GameResult& result, engines::Seat seat,
                   const std::string& games);

// Shows the boards on which points were lost, of games whose state is a board of rows of letters:
// of each step that lacks some and isn't hidden, those of the games that its reasons name, in the
// turn that they name, with what the program answered. Of a program in a handout's form it is
// its input, with the command that runs it so; where that is asked once, of all games that it lost.
void add_boards(const verdict::Played& played, const config::BotConfig& bot,
                const std::string& games, verdict::Grade& grade);

// The game with that seat's faults as a student may best read them: times as people say them, how
// much too late an answer came in the end, and what the bot said of the move. An adapter's words
// (`by_adapter`) tell what the program printed: so they are the cause, and what the game says of
// it comes behind. `games`: the run's folder, where replays and the bots' own words lie.
GameResult with_words(GameResult result, engines::Seat seat, bool by_adapter,
                      const std::string& games);

// The game's replay in the run's folder; empty where there is none.
std::string replay_of(const std::string& games, const GameKey& key);

}  // namespace referee::grading
