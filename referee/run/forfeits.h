#pragma once

#include <string>
#include <vector>

#include "referee/exit_code.h"

namespace referee::run {

// How a run that was played to its end is judged, over all tournaments of its store: exit_no where
// one of these bots forfeited a game by a fault of its own, or gave no valid move in any. The
// message tells of them, and of each bot to which that happened in all of its games. A game that
// was annulled is no game here: nobody is blamed for the machine's trouble. exit_trouble where the
// store can't be read.
Ending judged_by_forfeits(const std::string& store,
                          const std::vector<std::string>& fail_on_forfeits);

}  // namespace referee::run
