#pragma once

#include <memory>
#include <vector>

#include "referee/watch/showing/replay_frames.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::terminal {

// Shows games on the terminal until somebody closes them. The result is the signal that ended it, 0
// where a key did; SIGINT for its key too. Requires at least one film.
int watch(const std::vector<std::unique_ptr<showing::ReplayFrames>>& films, Terminal& terminal);

}  // namespace referee::terminal
