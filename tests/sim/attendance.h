#pragma once

#include "tests/sim/invariants.h"

namespace tests::sim {

// Who gave no valid move in as many matches in a row as `withdraw_after` says, though it had to, is
// withdrawn with the last of them, and nobody else is but by order. What a bot gave is judged by
// replaying its games, not by what was counted while they were played.
void check_attendance(const Evidence& evidence, RunReport& report);

}  // namespace tests::sim
