#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engines/game.h"
#include "referee/config/config.h"

namespace referee::machines {

// A job may be killed as hung after this, whatever is in it.
inline constexpr std::chrono::hours job_time_most{24};
// What a job needs besides its games: to begin, to read programs, to write its result.
inline constexpr std::chrono::minutes time_beside_games{10};

// How many turns a game of a tournament has at most, in whichever of its setups that is; nothing
// where one has no end.
std::optional<std::int64_t> turns_most(const config::TournamentConfig& tournament,
                                       const engines::Game& game, std::size_t seats);
// The longest that a match takes by its rules, where nothing else keeps its bots from thinking:
// what is given to a batch system as a job's time limit follows from that. Where its rules set no
// end, job_time_most.
std::chrono::seconds match_time_most(const config::Config& config,
                                     const config::TournamentConfig& tournament);
// The same of each tournament whose matches other machines may play, by its name.
std::map<std::string, std::chrono::seconds, std::less<>> match_times(const config::Config& config);
// What a job's games and what is beside them may take at most: as "time_max" has it, without what
// the batch system adds to that. Where the config sets nothing, job_time_most.
std::chrono::seconds job_time_cap(const config::MachinesConfig& machines);
// Why a job may be too short for a match of some tournament, and what to do; empty: none is.
// Requires: the config has machines.
std::string lack_of_job_time(const config::Config& config);
// What a job asks for that has one match, of the tournament whose matches may last longest.
std::chrono::seconds job_time_least(const config::Config& config);

}  // namespace referee::machines
