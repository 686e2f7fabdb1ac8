#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/sim/link.h"

namespace tests::sim {

// Moves that arrived before the turns that they name were handed over. The referee reads lines in
// the order in which they arrived: a move that it reads before the turn has begun is refused, and
// one that it reads afterwards is the answer, however early it arrived.
class EarlyMoves {
 public:
    // A line to the bot on that link: a game begins or ends, or a move is refused.
    void to_bot(const Link* link, std::string_view line);
    // A move arrived, and its turn is not handed over.
    void arrived(const Link* link, const std::string& game_id, std::int64_t turn, Instant at);
    // The turn is handed over: when the move arrived that answers it already, if there is one.
    std::optional<Instant> take(const Link* link, const std::string& game_id, std::int64_t turn);

 private:
    struct Move {
        std::int64_t turn = 0;
        Instant arrived{};
    };
    using Moves = std::vector<std::pair<std::string, Move>>;  // by game, as they arrived

    struct Seat {
        std::vector<std::string> games;  // that are played on the link
        Moves moves;
    };

    std::map<const Link*, Seat> seats_;
};

}  // namespace tests::sim
