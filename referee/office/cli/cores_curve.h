#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "referee/office/cli/round_time.h"

namespace referee::cli {

// How long a tournament takes on so many cores.
struct CurvePoint {
    std::size_t cores = 0;
    std::optional<Duration> expected;
    std::optional<Duration> longest;  // every game is the longest that its rules allow
};

// On what the expected times rest.
enum class CurveBasis : std::uint8_t {
    played,   // games that were played
    told,     // what a person said of games
    assumed,  // nothing is known: `assumed_share` of the longest game
};

// Where no game is known, one is assumed to take this share of the longest that its rules allow,
// and any length from nothing to twice of that to be as likely as any other.
inline constexpr double assumed_share = 0.1;

// From one core to where more don't help, mostly by doubling. Never up: whoever has more cores may
// leave some unused.
struct CoresCurve {
    CurveBasis basis = CurveBasis::played;
    std::vector<CurvePoint> points;  // none where nothing can be told
    // More cores than these never help, because ...
    std::size_t useful_most = 0;
    std::string why;
    // From so many on, twice as many save less than a tenth; 0: that isn't so below `useful_most`.
    std::size_t enough = 0;
};

struct CurveTerms {
    std::optional<TournamentLoad> expected;
    std::optional<TournamentLoad> longest;
    CurveBasis basis = CurveBasis::played;
    Machine machine;                 // as the config has it: it is a point of the curve
    std::size_t thinks_at_once = 1;  // bots of a match
};

CoresCurve curve_of(const CurveTerms& terms);

// Lengths of matches, as shares of their mean, of which nothing is known: see `assumed_share`.
std::vector<double> assumed_spread();

}  // namespace referee::cli
