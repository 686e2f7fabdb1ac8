#pragma once

#include "referee/contest/pairing/profile.h"

// Who plays White: chapter 5 of C.04.3.

namespace referee::pairing {

// Requires: `higher` is ranked above `lower`. The colour of `higher`.
Colour colour_of_higher(const Profile& higher, const Profile& lower, Colour initial);

// Both want the same colour.
bool prefer_the_same(const Profile& a, const Profile& b);

}  // namespace referee::pairing
