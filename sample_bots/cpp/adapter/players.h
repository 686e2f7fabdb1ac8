#pragma once

// A player for each kind of a student's program. `words`: its command. ../../adapters/README.md
// tells what each program is given and what it prints.

#include <string>
#include <vector>

#include "sample_bots/cpp/kit/bot.h"

namespace bots::adapter {

kit::MakePlayer snake_challenge(std::vector<std::string> words);
kit::MakePlayer superball_moves(std::vector<std::string> words);
kit::MakePlayer walls_lines(std::vector<std::string> words);

}  // namespace bots::adapter
