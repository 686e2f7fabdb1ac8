#pragma once

#include "referee/games/clock/time.h"

namespace referee::net {

// The smallest round trip that the kernel has measured on this TCP connection; zero where it knows
// none. A bot can answer late, but that doesn't raise it: it is a minimum.
Duration path_round_trip(int socket);

}  // namespace referee::net
