#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// Matches of a ladder that can be looked at and played again; those further back are in the store,
// and in the ratings.
inline constexpr std::size_t ladder_matches_kept = 5000;
// Who has played fewer matches of a ladder, or is withdrawn, stands behind the others.
inline constexpr std::uint64_t ladder_matches_to_rank = 3;

// A ladder has no end and no rounds. Entrants that are offered as free are matched with the closest
// in rating; those who have played least come first. Nobody meets an entrant that it rests from,
// nor one again that it met lately, while there are others here to wait for. Everybody may enter,
// leave and come back at any time. places() ranks by rating. Ratings are folded from the results in
// the order of the matches, so the order of arrival plays no part.
std::unique_ptr<Schedule> ladder(const LadderOptions& options, std::vector<Entry> entries);

}  // namespace referee::formats
