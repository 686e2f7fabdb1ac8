#pragma once

#include "referee/games/clock/time.h"

namespace referee::net {

// The smallest round trip that the kernel has measured on this TCP connection in the last minutes;
// zero where it knows none. A bot that answers late doesn't raise it: it is a minimum, of what the
// other kernel acknowledged. But whoever rules that kernel can delay all of that, from the start.
// So it is believed only as far as it is plausible: see clock::Allowances.
Duration path_round_trip(int socket);

}  // namespace referee::net
