#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/recent_table.h"
#include "referee/game/result/game_result.h"
#include "referee/watch/web/live_game.h"
#include "referee/watch/web/web_news.h"
#include "referee/watch/web/web_sessions.h"

// Replays of games that are over: where they are found, and what is told of them to whom.

namespace referee::web {

// Of a kilobyte or so each.
inline constexpr std::size_t summaries_kept_max = 10'000;

// What a replay's first line says of who plays what; nothing of it where it can't be read.
struct PlayersOfReplay {
    std::string game;
    std::vector<std::string> bots;
};
PlayersOfReplay players_of(std::string_view replay);

// A replay as that visitor may see it: of faults of bots that are not its own it leaves out what
// they sent and printed, and of all others which programs they are. The replay's last line alone is
// written again; a line that can't be read stays out.
std::string replay_for(std::string_view replay, const Visitor& visitor);

// Whether that visitor may know the seed of a game that is over. Others play from the same one
// where the game has one seat, or doesn't count and is played again.
bool may_know_seed(std::string_view replay, const Visitor& visitor);

// How such a game ended, as what a showing of it has at its end: {"faults": [...], "faults_total":
// ..., "result": {...}}; as everybody may see it.
std::string end_of(std::string_view replay);

// What a bot's page tells of one game, by seat; as everybody may see it.
struct GameSummary {
    struct Seat {
        std::string bot;
        std::uint64_t used_us = 0;
        std::string faults;  // a JSON array
        std::uint64_t faults_total = 0;
    };
    std::uint64_t turns = 0;
    std::string clock;            // what its budget is for: "turn"
    std::uint64_t budget_us = 0;  // 0: it has none
    std::vector<Seat> seats;
};

// Finds replays, and keeps what was made of those that were asked for last.
class ReplaySource {
 public:
    // The loop outlives it.
    ReplaySource(LoopQuestions& loop, RunFiles files) : loop_(loop), files_(std::move(files)) {}

    // The replay from its file, or from where else it is kept; empty: nobody has it any more. Calls
    // at once or later. False: too many ask, and it is never called.
    using WithReplay = std::function<void(const std::string& replay)>;
    bool find(const GameKey& key, const WithReplay& then);
    // What lies beside a replay, as it stands there; empty: nothing. Whether it is a review of that
    // game is still to be seen.
    std::string review_beside(const GameKey& key) const;
    // What the bot said of its moves, as its debug file has it.
    std::optional<std::string> said_by(const std::string& bot, const GameKey& key) const;

    // Sees to it that the summaries of those of these games are kept that may be shown, as far as
    // their replays are.
    using IsShown = std::function<bool(const std::string& game_id)>;
    void gather_summaries(std::vector<std::string> ids, const IsShown& is_shown,
                          const std::function<void()>& then);
    // Null: it is not kept.
    const GameSummary* summary(const std::string& game_id) const {
        return summaries_.find(game_id);
    }

    // A showing that was kept by that key; null: there is none.
    Piece showing(std::string_view key) const;
    void keep_showing(const std::string& key, const Piece& showing);
    void forget_showings();

 private:
    // Empty: there is none.
    std::string file_of(const GameKey& key) const;
    // False: too many ask.
    bool ask(const GameKey& key, WithReplay then);

    LoopQuestions& loop_;
    RunFiles files_;
    std::size_t questions_ = 0;  // that wait for the loop's answers
    base::RecentTable<GameSummary> summaries_{summaries_kept_max};
    std::deque<std::pair<std::string, Piece>> showings_;  // the newest behind
    std::size_t showings_bytes_ = 0;
};

}  // namespace referee::web
