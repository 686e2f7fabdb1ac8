#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "referee/config/config.h"

namespace referee::single_game {

// This word stands for a random player where a bot's command is expected.
inline constexpr std::string_view random_command = "random";

// What is wrong with the students' programs among the commands, such as one that is for another
// game; empty where nothing is.
std::string mistake_in_commands(const std::vector<std::string>& commands, const std::string& game);

// Has the bot launched by the command ("python3 my_bot.py", "octave:FILE"). Requires: its directory
// and what else it reads are known, and nothing is wrong with the command.
void set_command(config::BotConfig& bot, const std::string& command);

// A name for the bot that none of the others has, after its program.
std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others);

}  // namespace referee::single_game
