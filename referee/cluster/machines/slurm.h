#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "referee/cluster/machines/batch_system.h"
#include "referee/launch/command/command.h"

// Slurm as a batch system, and what its commands say.

namespace referee::machines {

// What a job is given beside the time that it needs, to be told to end before it is killed.
inline constexpr std::chrono::minutes slurm_end_minutes{2};

// The jobs of one coordinator in Slurm, by its commands. A job's name is "referee-ID-N", where N is
// the number of its array's first job: so a list tells all there is to know, also to the next
// coordinator, and an answer that is lost does no harm. Slurm is never let requeue a job: whether
// it is to be played again, the coordinator says. As batch_of() has it; of `id` letters and digits
// count.
std::unique_ptr<BatchSystem> slurm_of(const config::MachinesConfig& config, const std::string& id,
                                      const std::string& referee);

// ---- slurm_texts.cpp: what Slurm's commands say ---------------------------------------------

// The columns of a queue: id, state, name, node, why it waits.
inline constexpr const char* queue_format = "%i|%T|%j|%N|%r";

// The jobs with such a beginning of their names, out of what `squeue` printed in that format.
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
