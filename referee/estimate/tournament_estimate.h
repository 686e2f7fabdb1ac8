#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/contest/formats/format.h"
#include "referee/game/clock/time.h"
#include "referee/store/records/records.h"
#include "referee/store/store.h"

// How many matches and games a tournament has, and how long it takes: an estimate from its config
// and, where such games were played before, from how long bots thought in them.
//
// It is of the tournament alone, played by bots that are all there, play one game at a time and
// never leave; no game is annulled. Where jobs play the matches, a bot plays in as many of them at
// a time as there are, and no job is lost or waits for a machine.

namespace referee::estimate {

// Both are possible; equal where the number is sure.
struct CountRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;

    CountRange& operator+=(const CountRange& other) {
        least += other.least;
        most += other.most;
        return *this;
    }
    friend bool operator==(const CountRange&, const CountRange&) = default;
};

// ---- match_counts.cpp ---------------------------------------------------------------------------

struct TournamentCounts {
    CountRange matches;
    CountRange games;
    double games_usual = 0;  // without those that only a level match has
    // That follow one another: a bot plays one at a time, and a round waits for the one before.
    std::uint64_t chain_most = 0;
    // Of each round, at most: what can be played at the same time, and how many games follow one
    // another in that.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rounds;
    std::size_t seats = 1;  // of a game, at most
};
// `by_jobs`: a bot plays in many matches at the same time. Requires: the format fits the field.
TournamentCounts counts_of(const config::TournamentConfig& tournament,
                           std::vector<formats::Entry> field, bool by_jobs);

// ---- tournament_estimate.cpp --------------------------------------------------------------------

// On what a tournament is played.
struct EstimateMachine {
    std::size_t games_at_once = 1;
    std::size_t cores = 1;  // on which launched bots think
    bool by_jobs = false;   // of a batch system; then both numbers are those of all jobs together
};
// On what `run` and `serve` play a tournament of a config, begun on this machine.
EstimateMachine machine_of(const config::Config& config,
                           const config::TournamentConfig& tournament);

// How long bots thought in games that were played, as their clocks charged it. A game that a bot
// forfeited, or that doesn't count, tells nothing.
struct PlayedTimes {
    struct OfGame {
        std::uint64_t games = 0;
        std::uint64_t seats = 0;      // of all games
        std::int64_t all_us = 0;      // of all seats
        std::int64_t longest_us = 0;  // of the seat in each game that thought longest
    };
    std::map<std::string, OfGame> games;
    // By tournament: who have entered it and were not withdrawn since.
    std::map<std::string, std::set<std::string>> entrants;

    // Give it all records, in their order.
    void take(const records::Record& record);
};
// Of the games that a store keeps.
base::Result<PlayedTimes, store::StoreError> times_in(const std::string& store);

// What a tournament waits for most.
enum class Bottleneck : std::uint8_t {
    cores,          // on which launched bots think
    games_at_once,  // no more are played
    bots,           // each plays one game at a time, and rounds wait for one another
};

struct DurationEstimate {
    // Why nothing more can be said: a ladder has no end, or the field isn't known. Else empty.
    std::string unknown;
    EstimateMachine machine;
    std::size_t bots = 0;
    CountRange matches;
    CountRange games;
    // Bots think as long as they did in games of the same kind, or a game takes as long as somebody
    // says; nothing where neither is known.
    std::optional<Duration> likely;
    std::uint64_t games_known = 0;  // on which it rests
    // Every game has as many turns as its rules allow, and every bot uses all its time in each turn
    // and to get ready; nothing where the rules set no end.
    std::optional<Duration> worst;
    std::optional<std::int64_t> turns_most;  // of its longest game
    // Of the likely time, or of the worst where that isn't known; nothing where neither is.
    std::optional<Bottleneck> bottleneck;
    // The likely time on one core, two, four and so on, with games at once in proportion, up to so
    // many that more of them would save less than a hundredth; empty where no time is likely.
    struct OnCores {
        std::size_t cores = 1;
        Duration time{};
    };
    std::vector<OnCores> on_cores;
};

// `game_time`: how long a game takes, where somebody says it.
DurationEstimate estimate_of(const config::Config& config,
                             const config::TournamentConfig& tournament, const PlayedTimes& played,
                             const EstimateMachine& machine,
                             std::optional<Duration> game_time = {});

}  // namespace referee::estimate
