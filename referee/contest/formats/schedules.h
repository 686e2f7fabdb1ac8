#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/standings/crosstable.h"

namespace referee::formats {

// Matches of a ladder that can be looked at and played again; those further back are in the store,
// and in the ratings.
inline constexpr std::size_t ladder_matches_kept = 5000;

// A ladder has no end and no rounds. Entrants that are offered as free are matched with the closest
// in rating; those who have played least come first. Nobody meets an entrant that it rests from,
// nor one again that it met lately, while there are others here to wait for. Everybody may enter,
// leave and come back at any time. places() ranks by rating. Ratings are folded from the results in
// the order of the matches, so the order of arrival plays no part.
std::unique_ptr<Schedule> ladder(const LadderOptions& options, std::vector<Entry> entries);

// One format after another: each stage takes the best of the one before, in their order, so that
// a knockout is seeded by it. Rounds and matches are counted on.
std::unique_ptr<Schedule> stages(const StagesOptions& options, std::vector<Entry> entries,
                                 std::uint64_t seed);

// Matches of two where the answer to the format's question is unsure. Some rounds of pairs drawn by
// lot come first. Then, before each match, two fields are drawn as the results so far allow them;
// where they see an asked pair differently, the match is played that tells most of that pair. It
// ends when the question is answered with its confidence, when the matches are used up or
// its time is, or when nobody is left to tell more. places() ranks by share of points.
//
// It takes late entries. They, and bots with another program than before (AdaptiveState), come
// first, until they have had as many matches as the opening has rounds.
std::unique_ptr<Schedule> adaptive(const AdaptiveOptions& options,
                                   const std::vector<Entry>& entries, std::uint64_t seed);

// How many matches it plays at most.
std::uint64_t adaptive_matches_most(const AdaptiveOptions& options, std::size_t entrants);

// What a format asks of its matches, and what they are worth in it.

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
