#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "referee/game/clock/time.h"

namespace referee::check_bot {

// Who plays the seats beside the bot's.
enum class Others : std::uint8_t {
    random,  // any legal move
    idle,    // the example of the game's page, always
};

// A game that brings about something which a bot may not expect. All comes about by the rules.
struct Position {
    std::string_view game;
    std::string_view what;  // "a board of another size", for the report
    std::string_view params;
    std::uint32_t seed = 1;
    std::size_t seat = 0;  // of the bot
    Others others = Others::random;
};

// Of each game the first is a plain one.
std::span<const Position> positions();

// The params as a referee gives them to a bot that has so much time for a turn: where a rule of the
// game looks at the time, it is as generous.
std::string params_of(const Position& position, Duration budget);

}  // namespace referee::check_bot
