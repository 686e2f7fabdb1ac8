#pragma once

#include <optional>
#include <string>

namespace referee::config {

// Why an instructor can't give sbatch such an argument; nothing where it may be.
std::optional<std::string> refused_slurm_argument(const std::string& argument);

}  // namespace referee::config
