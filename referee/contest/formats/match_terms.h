#pragma once

#include <cstddef>
#include <cstdint>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/standings/crosstable.h"

// What a format asks of its matches, and what they are worth in it.

namespace referee::formats {

// The format that draws the matches now: one of the stages where there are any.
// Requires: `stage` is what the schedule of this format says.
const FormatConfig& stage_of(const FormatConfig& format, std::size_t stage);

// `seed`: the tournament's. Requires: a format that isn't made of stages.
MatchTerms terms_of(const FormatConfig& format, std::uint64_t seed);

// What a whole match is worth: won against all others, or level with all of them. Of two seats that
// is `win_points` and `draw_points`, in pods that times the number of others.
engines::Score win_of_match(const FormatConfig& format);
engines::Score draw_of_match(const FormatConfig& format);

// What tie-breaks reckon with; of stages that of the first.
standings::PointSystem points_of(const FormatConfig& format);

}  // namespace referee::formats
