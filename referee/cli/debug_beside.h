#pragma once

#include <string>

namespace referee::cli {

// What the bots of a game said of their moves, for people: their debug texts in the folder of the
// run, if the replay lies in one; else empty. `replay`: the replay's file.
std::string debug_beside(const std::string& replay);

// The debug text of one bot of the game, as the bot's file has it; empty where there is none.
std::string debug_file_beside(const std::string& replay, const std::string& bot);

}  // namespace referee::cli
