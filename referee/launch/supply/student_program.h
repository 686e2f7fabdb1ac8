#pragma once

#include <string>

#include "referee/config/config.h"

namespace referee::supply {

// Why no adapter could run the bot's student's program on this machine: its file isn't there, its
// interpreter isn't installed. In words that follow the bot's name, with what to do; empty where
// nothing is wrong, and for all other bots. Looks at files.
std::string mistake_in_program(const config::BotConfig& bot, const std::string& search_path);

}  // namespace referee::supply
