#pragma once

#include "referee/contest/pairing/dutch.h"
#include "tests/fuzz/target.h"

namespace fuzz {

// Whether the answer to the field is legal, or why there is no pairing: everybody who is there is
// paired once or has the bye, nobody meets an opponent again or one that is forbidden, nobody has a
// second bye, and a colour that somebody must have goes to nobody who needn't have it. And whether
// a search that leaves nothing out, and for small fields the rules taken literally, give the same.
Complaint broken_promise(
    const referee::pairing::PairingField& field,
    const base::Result<referee::pairing::RoundPairing, referee::pairing::NoLegalPairing>& answer);

}  // namespace fuzz
