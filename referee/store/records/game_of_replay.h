#pragma once

#include <string>

#include "referee/store/records/record_line.h"

namespace referee::records {

// The record of the game that a replay tells (referee/game/play/README.md). Fingerprint and host,
// which no replay has, are those of `beside`. A failure says why the text is no replay.
base::Result<GameRecord, BadRecord> game_of_replay(std::string replay, const GameResult& beside);

}  // namespace referee::records
