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

// A bot's games as the standings have them, the latest first.
struct StandingGame {
    std::string game_id;
    std::vector<std::string> opponents;
    std::uint64_t place = 0;
    std::string score;         // JSON
    std::string_view outcome;  // of its match: "won", "drawn", "lost"; empty: nobody was met
};
struct BotStanding {
    std::string row;  // JSON: the bot's row without its matches
    std::string tie_breaks;
    std::vector<StandingGame> games;
    std::string against;  // JSON: whom it met, with what came of it
    std::string history;  // JSON: a ladder's rating of it behind each match, or its points
};
// The bot's place in the standings; nothing where it has none.
std::optional<BotStanding> standing_of(const TournamentData& data, std::string_view bot);

// The bot's page as JSON, "bot" in configs/schemas/web.json.
std::string bot_json(std::string_view tournament, std::string_view bot, const BotStanding& standing,
                     std::size_t games_most,
                     const std::function<GameTold(const std::string& game_id)>& told_of);

}  // namespace referee::web
