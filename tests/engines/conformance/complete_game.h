#pragma once

#include <string>
#include <vector>

#include "engines/game.h"

// What belongs to a game beside its rules: documents, samples, bots, models, whole games.

namespace tests {

// What the sources in `root` lack for the game, a sentence each: the file, and what to add there.
// `programs` are the names of the game's bots that are built.
std::vector<std::string> missing_pieces(const std::string& root, const engines::GameInfo& info,
                                        const std::vector<std::string>& programs);

// The programs that the folder sample_bots/cpp/ID builds.
std::vector<std::string> programs_of(const std::string& id);

// The names of the games in tests/golden/ID, each a setup, its moves and the trace of both.
std::vector<std::string> golden_names(const std::string& root, const std::string& id);

}  // namespace tests
