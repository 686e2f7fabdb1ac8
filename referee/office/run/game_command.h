#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"

// A bot of a single game, as the command line gives it: "python3 my_bot.py".

namespace referee::run {

// Splits a text into words as a shell does; a text that needs more than that is given to a shell.
std::vector<std::string> command_of(const std::string& text);

// A name for the bot that none of the others has, after its program.
std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others);

}  // namespace referee::run
