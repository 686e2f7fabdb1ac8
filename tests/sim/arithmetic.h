#pragma once

#include "tests/sim/invariants.h"

namespace tests::sim {

// Computes again, from what was seen on the wire, what each answer of a bot that stays was charged
// and whether it came in time. Compares that with the record of the game.
void check_charges(const Evidence& evidence, const referee::records::GameRecord& game,
                   RunReport& report);

}  // namespace tests::sim
