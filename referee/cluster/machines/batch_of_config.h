#pragma once

#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/config/config.h"

namespace referee::machines {

// What the config names. `id`: of this coordinator and of no other. Nothing is asked of it yet.
std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id);

// Whether a coordinator could work from here with the machines that the config names, and give them
// its matches; nothing is submitted, or left in the folder. An error says why not, and what to do.
base::Result<void, std::string> try_machines(const config::Config& config);

}  // namespace referee::machines
