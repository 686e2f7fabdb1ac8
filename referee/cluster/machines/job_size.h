#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/tournament/scheduler/executor.h"

namespace referee::machines {

// What a job is to take: long enough that it costs little to place it, short enough that little is
// lost with it and the last one of a round isn't waited for long.
inline constexpr Duration job_time_aimed = std::chrono::minutes(3);
// What a job is worth that leaves some of the last matches to places that come free.
inline constexpr Duration job_time_worth = std::chrono::seconds(5);
// How much larger a job may be than any that was measured.
inline constexpr std::size_t growth_most = 4;
inline constexpr std::size_t matches_of_job_most = 500;

// How many matches go into a job: few until it is known how long they take.
class Batching {
 public:
    // `cores`: that a job has.
    explicit Batching(std::size_t cores) : cores_(cores) {}

    // A job with matches of these tournaments, one name for each match, took so long.
    void learn(const std::vector<std::string>& tournaments, Duration took);
    // How many matches of a tournament make a job.
    std::size_t matches_of(const std::string& tournament) const;
    // The same of the tournament with the most.
    std::size_t matches_most() const;
    // How many of the first that wait make the next job, where so many jobs can begin at once: all
    // places are used before any job is filled. `shared_by`: places among which they are shared,
    // taken ones too, where no more come behind them; a job then is worth its while all the same.
    std::size_t next(const std::deque<scheduler::MatchTask>& waiting, std::size_t places,
                     std::size_t shared_by) const;

 private:
    struct Known {
        double seconds = 0;       // that a match costs a job
        std::size_t largest = 0;  // job that was measured, in matches
    };

    std::size_t cores_;
    std::map<std::string, Known> known_;
};

// A job may be killed as hung after this, whatever is in it.
inline constexpr std::chrono::hours job_time_most{24};
// What a job needs besides its games: to begin, to read programs, to write its result.
inline constexpr std::chrono::minutes time_beside_games{10};

// How many turns a game of a tournament has at most, in whichever of its setups that is; nothing
// where one has no end.
std::optional<std::int64_t> turns_most(const config::TournamentConfig& tournament,
                                       const engines::Game& game, std::size_t seats);
// Whether other machines may play matches of a tournament, where their bots are launched.
bool may_play(const config::Config& config, const config::TournamentConfig& tournament);
// The longest that a match takes by its rules, where nothing else keeps its bots from thinking, of
// each tournament whose matches other machines may play, by its name: what is given to a batch
// system as a job's time limit follows from that. Where its rules set no end, job_time_most.
std::map<std::string, std::chrono::seconds, std::less<>> match_times(const config::Config& config);
// What a job's games and what is beside them may take at most: as "time_max" has it, without what
// the batch system adds to that. Where the config sets nothing, job_time_most.
std::chrono::seconds job_time_cap(const config::MachinesConfig& machines);
// Why a job may be too short for a match of some tournament, and what to do; empty: none is.
// Requires: the config has machines.
std::string lack_of_job_time(const config::Config& config);
// What a job asks for that has so many matches of the tournament whose matches may last longest.
// Requires: the config has machines.
std::chrono::seconds job_time_of(const config::Config& config, std::size_t matches);

}  // namespace referee::machines
