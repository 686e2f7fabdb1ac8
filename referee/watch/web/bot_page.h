#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/net/lobby/recent_table.h"
#include "referee/watch/web/tournament_data.h"

namespace referee::web {

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
// Nothing where the replay can't be read.
std::optional<GameSummary> summary_of(std::string_view replay);

// What is known of a game where a page asks for it.
struct GameTold {
    const GameSummary* summary = nullptr;
    // Nobody has its replay any more; else it may only not be shown yet.
    bool gone = false;
};

// The summaries that were asked for last, by game, so that a replay is not read for each look.
using Summaries = lobby::RecentTable<GameSummary>;

// The ids of a bot's games as the standings have them, the latest first, at most so many. Empty
// where the bot has no place there.
std::vector<std::string> latest_games(const TournamentData& data, std::string_view bot,
                                      std::size_t most);

// The bot's page as JSON, "bot" in configs/schemas/web.json. Requires: the standings have the bot.
std::string bot_json(std::string_view tournament, std::string_view bot, const TournamentData& data,
                     std::size_t games_most,
                     const std::function<GameTold(const std::string& game_id)>& told_of);

}  // namespace referee::web
