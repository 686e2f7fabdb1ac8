#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/config/config.h"
#include "referee/games/clock/time.h"
#include "referee/office/cli/cores_curve.h"
#include "referee/office/cli/game_count.h"
#include "referee/office/cli/played_times.h"
#include "referee/office/cli/round_time.h"

// How many games a tournament has and how long it takes, foretold from its config.
//
// A tournament is told as if it were played alone, by bots that all are there, one game at a time
// each, and that never leave; no game is annulled.
//   best:   nobody thinks; each game takes only what the referee needs.
//   likely: bots think as long as they did in the games that are known, or a game takes as long as
//           somebody says, and nobody waits for a core without need. Known games may have had other
//           params.
//   worst:  each game is the longest that its rules allow, and every bot uses all its time in each
//           turn, to get ready too.
// Where jobs play the matches, a bot plays in as many of them at a time as there are, none of them
// is lost, and none waits for machines that others use.

namespace referee::cli {

struct Forecast {
    std::string tournament;
    // Why nothing more can be said: a ladder has no end, or the field isn't known. Else empty.
    std::string unknown;
    std::size_t bots = 0;
    CountRange matches;
    CountRange games;
    Machine machine;
    Duration best{};
    std::optional<Duration> likely;  // where games of these bots are known
    std::uint64_t games_known = 0;   // on which that rests
    // Nothing where the game's rules set no end.
    std::optional<Duration> worst;
    std::optional<std::int64_t> turns_most;  // of its longest game
    bool launches = false;                   // whether bots think on this machine's cores
    // With so many cores (and as many games at once) the likely time, or where it isn't known the
    // worst, is half of what it is; 0: no number of cores does that.
    std::size_t cores_to_halve = 0;
    // Of launched bots.
    CoresCurve curve;
};

// `game_time`: how long a game takes, where somebody says it.
Forecast forecast_of(const config::Config& config, const config::TournamentConfig& tournament,
                     const PlayedTimes& played, const Machine& machine,
                     std::optional<Duration> game_time = {});

// For people: "28 matches, 56 games", how long, and a table of several lines of how long on so many
// cores. Without an end of line at the end.
std::vector<std::string> describe(const Forecast& forecast);

// The members of an object, as configs/README.md lists them.
void write_members(protocol::json::Writer& writer, const Forecast& forecast);

// "3 s", "4 min", "2 h 10 min", "3 days": two figures that matter.
std::string time_text(Duration time);

}  // namespace referee::cli
