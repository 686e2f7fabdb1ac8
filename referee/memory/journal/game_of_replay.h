#pragma once

#include <string>

#include "referee/memory/journal/record_line.h"

namespace referee::journal {

// The record of the game that a replay tells (referee/games/play/README.md). Fingerprint and host,
// which no replay has, are those of `beside`. A failure says why the text is no replay.
base::Result<GameRecord, BadRecord> game_of_replay(std::string replay, const GameResult& beside);

}  // namespace referee::journal
