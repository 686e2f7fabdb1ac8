#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/command/command.h"

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

// What the config names. `id`: of this coordinator and of no other. Nothing is asked of it yet.
std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id);

// Whether a coordinator could work from here with the machines that the config names, and give them
// its matches; nothing is submitted, or left in the folder. As BatchSystem::check tells it.
BatchSystem::Answer<std::string> try_machines(const config::Config& config);

// ---- Commands of the instructor's -----------------------------------------------------------

// A batch system that three commands reach; configs/MACHINES.md tells what each is given and what
// it answers.
class BatchCommands final : public BatchSystem {
 public:
    // `referee`: the program that runs.
    BatchCommands(config::MachinesConfig config, std::string referee)
        : config_(std::move(config)), referee_(std::move(referee)) {}

    Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                        const BatchNeeds& needs) override;
    Answer<std::vector<SeenJob>> list() override;
    Answer<void> cancel(const std::vector<std::uint64_t>& numbers) override;
    Answer<std::string> check(const BatchNeeds& needs) override;

 private:
    // Calls one of the instructor's with the folders of these jobs, as many times as it takes.
    Answer<void> call_with(const std::string& name, const std::string& words,
                           const std::vector<std::uint64_t>& numbers,
                           const std::vector<std::string>& environment) const;
    // What it printed. It is for a shell; the folders come behind its words.
    Answer<std::string> output_of(const std::string& name, const std::string& words,
                                  std::span<const std::uint64_t> numbers = {},
                                  const std::vector<std::string>& environment = {}) const;

    config::MachinesConfig config_;
    std::string referee_;
};

// ---- slurm.cpp ------------------------------------------------------------------------------

// What a job is given beside the time that it needs, to be told to end before it is killed.
inline constexpr std::chrono::minutes slurm_end_minutes{2};

// The jobs of one coordinator in Slurm, by its commands. A job's name is "referee-ID-N", where N is
// the number of its array's first job: so a list tells all there is to know, also to the next
// coordinator, and an answer that is lost does no harm. Slurm is never let requeue a job: whether
// it is to be played again, the coordinator says.
class Slurm final : public BatchSystem {
 public:
    // `id`: the coordinator's; its letters and digits count. `referee`: the program that plays a
    // job, an absolute path that holds on all nodes.
    Slurm(const config::MachinesConfig& config, const std::string& id, std::string referee);

    Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                        const BatchNeeds& needs) override;
    Answer<std::vector<SeenJob>> list() override;
    Answer<void> cancel(const std::vector<std::uint64_t>& numbers) override;
    Answer<std::string> check(const BatchNeeds& needs) override;

 private:
    command::Command command_of(const std::string& name,
                                const std::vector<std::string>& words) const;
    command::Command sbatch_of(std::uint64_t first, const std::string& indices,
                               const BatchNeeds& needs) const;

    config::SlurmConfig config_;
    std::string jobs_;    // the folder of their folders
    std::string prefix_;  // of all jobs' names
    std::string referee_;
    std::vector<std::string> environment_;
};

// The jobs with such a beginning of their names, out of what `squeue` printed.
base::Result<std::vector<SeenJob>, BatchTrouble> read_queue(std::string_view text,
                                                            std::string_view prefix);

// What a command's failure means for whoever set it up.
BatchTrouble slurm_trouble(const std::string& command, std::string_view errors);
BatchTrouble slurm_trouble(const std::string& command, const command::CommandTrouble& trouble);

// Why jobs may get in each other's way, by what `scontrol show config` printed; empty: each is
// bound to cores of its own, or nobody can tell.
std::string binding_lack(std::string_view printed);

// Why no job begins in a partition (empty: the default one; or several with commas between them),
// by what `scontrol show partition --oneliner` printed; empty: some job may, or nobody can tell.
std::string partition_lack(std::string_view printed, std::string_view wanted);

}  // namespace referee::machines
