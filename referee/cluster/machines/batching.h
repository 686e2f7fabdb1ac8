#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/tournament/scheduler/executor.h"

namespace referee::machines {

// What a job is to take: long enough that it costs little to place it, short enough that little is
// lost with it and the last one of a round isn't waited for long.
inline constexpr Duration job_time_aimed = std::chrono::minutes(3);
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
    // places are used before any job is filled.
    std::size_t next(const std::deque<scheduler::MatchTask>& waiting, std::size_t places) const;

 private:
    struct Known {
        double seconds = 0;       // that a match costs a job
        std::size_t largest = 0;  // job that was measured, in matches
    };

    std::size_t cores_;
    std::map<std::string, Known> known_;
};

}  // namespace referee::machines
