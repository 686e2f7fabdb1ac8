#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/exit_code.h"

namespace referee::daemon {

struct DaemonOptions {
    std::string config;        // the file, read again on SIGHUP
    std::string out;           // the folder of the store and of all that is written
    bool unsandboxed = false;  // bots are launched without a sandbox
};

// Stays up and plays the tournaments of a config, while bots and people come and go, until it is
// told to stop: by a signal (SIGTERM, SIGINT; a second one stops at once) or by `ctl drain`. Goes
// on with whatever a former daemon left in the folder. Where systemd started it, it tells systemd
// when it is ready and that it is alive. Where a bot was forgotten it ends as when it is drained,
// and begins anew in the same process, with the config as it stands then.
Ending serve(config::Config config, const DaemonOptions& options);

}  // namespace referee::daemon
