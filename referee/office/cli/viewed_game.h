#pragma once

#include <memory>
#include <string>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/watching/showing/film.h"
#include "referee/watching/showing/showing.h"

// Replays that somebody names to look at them, with what the bots said of their moves where the
// replay lies in the folder of its run.

namespace referee::cli {

// What a replay file holds; "-" is the standard input. An error is for a person.
base::Result<std::string, std::string> replay_text(const std::string& file);

// Errors are for a person. What the record tells otherwise than the rules do now goes to the
// standard error, as a warning.
base::Result<showing::Showing, std::string> viewed_showing(const std::string& file,
                                                           const engines::Registry& registry);
base::Result<std::unique_ptr<showing::Film>, std::string> viewed_film(
    const std::string& file, const engines::Registry& registry);

// The showing of a replay's text, with a review of the game where there is one (JSON text). It
// warns of nothing.
base::Result<showing::Showing, std::string> reviewed_showing(const std::string& replay,
                                                             const std::string& file,
                                                             const engines::Registry& registry,
                                                             const std::string& review);

}  // namespace referee::cli
