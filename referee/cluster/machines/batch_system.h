#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"

namespace referee::machines {

// What the jobs of one submission have in common.
struct BatchNeeds {
    std::size_t cores = 1;             // that a job keeps busy: so many bots think at once
    std::chrono::seconds time_max{0};  // after which a job may be killed: it hangs
};

// A job that the batch system knows: it waits there, or is played.
struct SeenJob {
    std::uint64_t number = 0;
    std::string id;         // the batch system's own
    bool begun = false;     // else it waits
    std::string machine;    // where it is played; empty where nobody says
    std::string because{};  // why it waits, in the batch system's own words; may be empty
    bool stuck = false;  // it waits for what doesn't come by itself: somebody has to do something
    bool held = false;   // it has begun and was suspended: it may show no life
};

// What a batch system answers instead.
struct BatchTrouble {
    // False: it will say the same of this request tomorrow (no such partition, no such program).
    // True: it may be otherwise in a while (nobody answers, the queue is full).
    bool passes = true;
    std::string reason;  // what happened, and what to do, for the instructor
};

// Where jobs wait and are played: Slurm, or anything that three commands of the instructor's reach.
// A job goes by its number in the folder of the coordinator's jobs, which no other has.
// It may lose jobs, play them twice or say nothing for hours: so nothing follows from what it says
// but patience, and only a job's result counts. Its calls may take as long as a command takes, so
// none is made on the loop's thread, and one at a time.
class BatchSystem {
 public:
    template <typename T>
    using Answer = base::Result<T, BatchTrouble>;

    virtual ~BatchSystem() = default;
    // Gives it jobs. On trouble some may have been taken all the same: list() tells.
    virtual Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                                const BatchNeeds& needs) = 0;
    // All jobs of this coordinator's folder that it knows. One that was submitted and is not there
    // is over, however it ended.
    virtual Answer<std::vector<SeenJob>> list() = 0;
    // It shall forget the jobs with these numbers, whether they wait or are played. Those that it
    // doesn't know are no trouble.
    virtual Answer<void> cancel(const std::vector<std::uint64_t>& numbers) = 0;
    // Tries whether jobs could be submitted that need that; submits nothing. Tells what may be
    // wrong all the same; empty: nothing known.
    virtual Answer<std::string> check(const BatchNeeds& needs) = 0;
};

// What the config names: Slurm (slurm.h), or three commands of the instructor's;
// configs/MACHINES.md tells what each is given and what it answers. `id`: of this coordinator and
// of no other. `referee`: the program that plays jobs, an absolute path that holds on all machines.
// Nothing is asked of it yet.
std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id,
                                      const std::string& referee);

// Whether a coordinator could work from here with the machines that the config names, and give them
// its matches; nothing is submitted, or left in the folder. As BatchSystem::check tells it.
BatchSystem::Answer<std::string> try_machines(const config::Config& config);

}  // namespace referee::machines
