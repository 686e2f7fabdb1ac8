#pragma once

#include <string>

#include "sample_bots/cpp/referee_bot.hpp"

namespace kit {

// Asks the referee about games of a bot that are over, on a connection of its own: the story of the
// game of that id, or, without one, a line for each of the last games. Throws Refused with the
// referee's reason.
std::string own_games(referee_bot::Connection& connection, referee_bot::json login,
                      const std::string& game_id);

}  // namespace kit
