#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"

// A bot of a single game, as the command line gives it: "python3 my_bot.py", "octave:FILE".

namespace referee::daemon {

// What is wrong with the students' programs among the commands, such as one that is for another
// game; empty where nothing is.
std::string mistake_in_commands(const std::vector<std::string>& commands, const std::string& game);

// Has the bot launched by the command. Requires: its directory and what else it reads are known,
// and nothing is wrong with the command.
void set_command(config::BotConfig& bot, const std::string& command);

// A name for the bot that none of the others has, after its program.
std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others);

}  // namespace referee::daemon
