#include "referee/cluster/machines/batch_system.h"

#include <unistd.h>
#include <array>
#include <string>

#include "referee/cluster/machines/commands.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/cluster/machines/jobs_folder.h"
#include "referee/cluster/machines/slurm.h"

namespace referee::machines {
namespace {

constexpr std::size_t path_bytes_max = 4096;

std::string this_program() {
    std::array<char, path_bytes_max> path{};
    const auto size = ::readlink("/proc/self/exe", path.data(), path.size());
    return size <= 0 ? "/usr/bin/referee"
                     : std::string(path.data(), static_cast<std::size_t>(size));
}

}  // namespace

std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id) {
    if (config.kind == config::MachinesKind::slurm)
        return std::make_unique<Slurm>(config.slurm, id, this_program());
    return std::make_unique<BatchCommands>(BatchCommands::Settings{config.submit, config.list,
                                                                   config.cancel, config.directory,
                                                                   config.folder, this_program()});
}

base::Result<void, std::string> try_machines(const config::Config& config) {
    const auto& machines = *config.machines;
    if (auto folder = JobsFolder::try_out(machines.folder); !folder) return folder;
    const BatchNeeds needs{machines.cores, job_time_least(config)};
    if (const auto checked = batch_of(machines, "check")->check(needs); !checked)
        return base::failure(checked.error().reason);
    return {};
}

}  // namespace referee::machines
