#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "referee/rating/elo.h"
#include "referee/rating/rank_intervals.h"
#include "referee/rating/sprt.h"
#include "referee/rating/weng_lin.h"
#include "referee/report/ledger.h"

namespace referee::report {

// With fewer matches for a bot, samples of them would only repeat them: nothing is said of the
// order then.
inline constexpr std::size_t matches_a_bot_min = 3;

// Beside the points: ratings, and how sure the order is. Matches to which somebody didn't come are
// rated as if those had not been in them.
struct Ratings {
    // One of the two, or neither where nobody met anybody.
    std::optional<rating::EloTable> elo;  // all matches have two seats
    std::vector<rating::Skill> skills;    // by entrant; pods: Weng-Lin in the order of the matches
    std::vector<std::uint64_t> rated;     // by entrant: matches that were rated

    // By entrant; nothing in formats that rank by a bracket, or where nothing was played. Of
    // leaderboards the games are drawn, for everybody the same, of other formats the matches.
    std::optional<rating::RankIntervals> ranks;
    std::size_t draws = 0;  // how many samples they come from; 0: there were too few matches
    std::size_t drawn_from = 0;

    std::optional<rating::SprtState> sprt;  // of a gauntlet with bounds
};
Ratings ratings_of(const Ledger& ledger);

}  // namespace referee::report
