#pragma once

#include <memory>
#include <vector>

#include "referee/tournament/format.h"

namespace referee::tournament {

// Single or double elimination. `numbers` gives the entrants by seed, the best first. A match that
// ends level goes to who has the greater sum of scores, then to who used less time, then to the
// better seed.
std::unique_ptr<Schedule> knockout(const FormatConfig& config, std::size_t entrants,
                                   std::vector<Entrant> numbers);

}  // namespace referee::tournament
