#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/office/run/tournament_run.h"

namespace referee::run {

struct DaemonOptions {
    std::string config;  // the file, read again on SIGHUP
    std::string out;     // the folder of the store and of all that is written
};

// Stays up and plays the tournaments of a config, bots and people coming and going, until it is
// told to stop: by a signal (SIGTERM, SIGINT; a second one stops at once) or by `ctl drain`.
// Whatever a former daemon left in the folder goes on. Tells systemd, where it was started by it,
// when it is ready and that it lives.
RunEnding serve(const config::Config& config, const DaemonOptions& options);

}  // namespace referee::run
