#pragma once

#include "tests/sim/invariants.h"

namespace tests::sim {

// A bot that gave no valid move in as many matches in a row as `withdraw_after` says, though it was
// asked for moves, must be withdrawn when the last of these ends. Other bots are withdrawn only by
// order. The check replays the games to see what a bot gave, and doesn't use what was counted
// during play.
void check_attendance(const Evidence& evidence, RunReport& report);

}  // namespace tests::sim
