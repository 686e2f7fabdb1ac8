#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/launch/command/command.h"

namespace referee::machines {

// The columns that read_queue() reads: id, state, name, node, why it waits.
inline constexpr const char* slurm_queue_format = "%i|%T|%j|%N|%r";

// What a job array runs: in each of its jobs, `referee job` in that one's folder. The job with the
// number N has the index N - first.
std::string array_script(const std::string& referee, const std::vector<BatchJob>& jobs,
                         std::uint64_t first);
// Its indices, as sbatch's --array has them: "0-3,7".
std::string array_indices(const std::vector<BatchJob>& jobs, std::uint64_t first);

// The jobs with such a beginning of their names, out of what squeue printed in that format.
base::Result<std::vector<SeenJob>, BatchTrouble> read_queue(std::string_view text,
                                                            std::string_view prefix);

// What a command's failure means for whoever set it up.
BatchTrouble slurm_trouble(const std::string& command, std::string_view errors);
BatchTrouble slurm_trouble(const std::string& command, const command::CommandTrouble& trouble);

// The columns of sinfo that partition_lack() reads: name, whether it is up, time limit of a job,
// nodes.
inline constexpr const char* slurm_partition_format = "%P|%a|%l|%D";

// As Slurm prints a time limit: "30:00", "2:00:00", "1-00:00:00"; nothing: there is none, or it is
// no time.
std::optional<std::chrono::minutes> slurm_time_limit(std::string_view text);

// Why none of the partitions that sinfo printed takes jobs of so many minutes, from a match alone
// to as many as a job may have, though sbatch would let them wait there; nothing: one takes them,
// or sinfo knows none of that name. Without `names_it` only the cluster's default counts.
std::optional<BatchTrouble> partition_lack(std::string_view printed, bool names_it,
                                           std::chrono::minutes least, std::chrono::minutes most);

// Why jobs may get in each other's way, by what `scontrol show config` printed; empty: each is
// bound to cores of its own, or nobody can tell.
std::string binding_lack(std::string_view printed);

}  // namespace referee::machines
