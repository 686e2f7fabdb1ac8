#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "referee/games/clock/time.h"

// How long a round takes on so many cores: its matches are played as the scheduler and the
// coordinator of jobs give them out, each as soon as there is a place. Pure arithmetic; lengths of
// matches that are known only roughly are drawn from a fixed seed. All numbers without a unit of
// their own are seconds.

namespace referee::cli {

// On what a tournament is played.
struct Machine {
    std::size_t games_at_once = 1;
    std::size_t cores = 1;
    // So many each job has, where jobs play the matches: then `cores` are those of all jobs that
    // are out at once.
    std::optional<std::size_t> job_cores{};
};

// The same with so many cores; of jobs, with as many jobs as have them.
Machine with_cores(const Machine& machine, std::size_t cores);

// One game, or one match, in seconds.
struct GameTime {
    double span = 0;  // from its beginning to its end, when all have the cores that they want
    double work = 0;  // what all its bots think together

    friend bool operator==(const GameTime&, const GameTime&) = default;
};

// Matches that wait for none of each other's results. The next round waits for all of them.
struct RoundLoad {
    std::size_t matches = 0;
    GameTime match;  // the mean one
    // So many can be played at the same time by one process, in which a bot plays one game at a
    // time. At least 1.
    std::size_t together_most = 1;
    // What the bot that has most to play needs for it, one match after the other.
    double busiest = 0;

    friend bool operator==(const RoundLoad&, const RoundLoad&) = default;
};

// The rounds of a tournament, in their order.
struct TournamentLoad {
    std::vector<RoundLoad> rounds;
    // By how much lengths of matches differ: some lengths as shares of their mean, of which each
    // match has one by chance. Not empty.
    std::vector<double> spread{1.0};
    Duration before{};     // until the first match can begin
    Duration job_costs{};  // what a job takes besides its games, until its result is seen
};

Duration time_of(const TournamentLoad& load, const Machine& machine);

double in_seconds(Duration time);
// Of a number of seconds; those that are beyond all measure as a hundred years.
Duration duration_of(double seconds);

// Matches of these lengths, the next of which begins as soon as one of so many places is free:
// when the last is over.
double list_makespan(std::span<const double> lengths, std::size_t places);

struct JobPool {
    std::size_t jobs_at_once = 1;
    std::size_t cores = 1;  // of a job
    std::size_t lanes = 1;  // matches that a job plays at once, at most `cores`
    double work_share = 1;  // of a match: its bots' thinking, as a share of its span
    double job_costs = 0;
    // What a match was found to cost a job in the rounds before, where there were any.
    std::optional<double> known{};
};

// The same by jobs, which get so many matches each as referee/office/machines/batching.h gives
// them: when the last result is seen.
double jobs_makespan(std::span<const double> lengths, const JobPool& pool);

}  // namespace referee::cli
