#pragma once

#include <memory>
#include <vector>

#include "referee/contests/tournament/format.h"

namespace referee::tournament {

// Matches of a ladder that can be looked at and played again; those further back are in the store,
// and in the ratings.
inline constexpr std::size_t ladder_matches_kept = 5000;

// A ladder has no end and no rounds: whoever is offered as free is matched, those first who have
// played least, with the closest in rating; nobody meets again whom it met lately while there are
// others here to wait for. Everybody may enter,
// leave and come back at any time. places() ranks by rating; ratings are folded from the results in
// the order of the matches, so the order of arrival plays no part.
std::unique_ptr<Schedule> ladder(const FormatConfig& config, std::vector<Entry> entries);

}  // namespace referee::tournament
