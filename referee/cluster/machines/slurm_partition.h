#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace referee::machines {

// The columns of sinfo that partition_lack() reads: name, whether it is up, time limit of a job,
// nodes.
inline constexpr const char* slurm_partition_format = "%P|%a|%l|%D";

// As Slurm prints a time limit: "30:00", "2:00:00", "1-00:00:00"; nothing: there is none, or it is
// no time.
std::optional<std::chrono::minutes> slurm_time_limit(std::string_view text);

// Why none of the partitions that sinfo printed takes a job of so many minutes, though sbatch would
// let it wait there; empty: one takes it, or sinfo knows none of that name. Without `names_it` only
// the cluster's default counts.
std::string partition_lack(std::string_view printed, bool names_it, std::chrono::minutes time);

}  // namespace referee::machines
