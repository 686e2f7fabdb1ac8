#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/json/document.h"

// What the referee's own bots share. Each is a Player and a call of run(), which plays by the kit
// that students have (../referee_bot.hpp). Players see states as the engines' own JSON, so that the
// referee can play with them without a connection.

namespace bots {

namespace json = protocol::json;

// What a bot is told when a game begins. Views are valid during the call only.
struct GameStart {
    std::string_view game_id;
    std::string_view game;  // "walls"
    std::size_t seat = 0;
    std::vector<std::string> names;  // by seat
    json::View params;
    json::View state;
};

struct Turn {
    std::int64_t number = 0;
    std::int64_t budget_us = 0;
    json::View state;  // the whole state
    // How long it may take by the clock on the wall, whatever is charged for it; 0: nobody said.
    std::int64_t wall_limit_us{};
};

// The same number for the same game on every machine (FNV-1a): the seed of a bot that plays by
// chance.
inline std::uint64_t seed_of(std::string_view game_id) {
    std::uint64_t seed = 0xCBF29CE484222325ULL;
    for (const char c : game_id) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return seed;
}

// The brain of one seat in one game.
class Player {
 public:
    virtual ~Player() = default;
    // The move as JSON text, such as "\"F\"".
    virtual std::string move(const Turn& turn) = 0;
    // Asked after each move: words about it for its record; empty: none.
    virtual std::string debug() { return {}; }
};

using MakePlayer = std::function<std::unique_ptr<Player>(const GameStart&)>;

struct BotInfo {
    std::string name;                // default; --name and the environment override it
    std::vector<std::string> games;  // ids of the games that it plays
};

// Connects as the command line and the environment say (see --help), plays until the referee says
// goodbye, and returns the exit status for main().
int run(int argc, char** argv, const BotInfo& info, const MakePlayer& make_player);

// The brain of a player that looks at the engine's own position in place of its text: for who plays
// thousands of games within a program. It remembers nothing of a game, so one plays them all.
class InsidePlayer {
 public:
    virtual ~InsidePlayer() = default;
    // The move as JSON text: what the Player of the same name would play there. Requires: a
    // position of a game that began as that which it was made for.
    virtual std::string move(const engines::State& state, engines::Seat seat) const = 0;
};

}  // namespace bots
