#pragma once

#include <iosfwd>
#include <string>

#include "referee/config/config.h"

namespace referee::run {

struct RunOptions {
    std::string out;        // the folder to write to; a run that was stopped there goes on
    std::string resume;     // the command that goes on with it, for whoever stops it
    bool quiet = false;     // no progress
    bool terminal = false;  // progress as a bar
};

// How a run ended, as an exit status with a sentence.
struct RunEnding {
    int status = 0;
    std::string message;  // empty where there is nothing to add
};

// Plays the tournaments of a config in the foreground: listens, launches the bots that are to be
// launched, waits for those that dial in, plays, writes into `out`, and returns when all is over or
// a signal (SIGINT, SIGTERM) ended it. Progress and the final standings go to `screen`.
RunEnding run_tournaments(const config::Config& config, const RunOptions& options,
                          std::ostream& screen);

}  // namespace referee::run
