#pragma once

#include <string>

#include "referee/contest/pairing/dutch.h"

namespace referee::pairing {

// Whether the answer to the field is legal, or why there is no pairing: everybody who is there is
// paired once or has the bye, nobody meets an opponent again or one that is forbidden, nobody has a
// second bye, and a colour that somebody must have goes to nobody who needn't have it. And whether
// a search that leaves nothing out gives the same, and so do the rules taken literally, which look
// at every candidate of a bracket: for so many players at most. Empty where all of that holds.
std::string broken_promise(const PairingField& field,
                           const base::Result<RoundPairing, NoLegalPairing>& answer,
                           std::size_t players_by_the_letter_max = 6);

}  // namespace referee::pairing
