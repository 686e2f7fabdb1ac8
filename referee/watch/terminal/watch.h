#pragma once

#include <memory>
#include <vector>

#include "referee/watch/showing/film.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::screen {

// Shows games on the terminal until somebody closes them. The result is the signal that ended it, 0
// where a key did; SIGINT for its key too. Requires at least one film.
int watch(const std::vector<std::unique_ptr<showing::Film>>& films, Terminal& terminal);

}  // namespace referee::screen
