#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "referee/cluster/machines/batch_system.h"
#include "referee/config/config.h"
#include "referee/launch/command/command.h"

namespace referee::machines {

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

}  // namespace referee::machines
