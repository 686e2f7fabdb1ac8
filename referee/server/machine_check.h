#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/launch/supply/sandbox_terms.h"

namespace referee::server {

// What a person should know of a config on this machine, before a server begins.
struct MachineRemark {
    enum class Kind : std::uint8_t { note, warning, mistake };
    Kind kind = Kind::note;
    config::ConfigError said;  // where it stands and what; its line or its member may be empty
};

struct MachineCheck {
    std::vector<MachineRemark> remarks;
    // exit_bad_input: a mistake; exit_trouble: no command launches these bots here; exit_no: one of
    // them can't start here.
    int status = exit_done;
};

struct MachineCheckOptions {
    std::string out;              // the folder of an earlier run; empty: none is known
    supply::SandboxTerms of_run;  // what `run` asks of the sandbox, and what `serve` asks
    supply::SandboxTerms of_serve;
};

// Whether the bots can be launched here and in which sandbox, whether the certificate is good, and
// whether other machines can play. No bot is started, and no job submitted.
MachineCheck check_machine(const config::Config& config, const MachineCheckOptions& options);

bool launches_bots(const config::Config& config);

}  // namespace referee::server
