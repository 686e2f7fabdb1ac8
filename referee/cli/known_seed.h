#pragma once

#include <string>

#include "referee/config/config.h"

namespace referee::cli {

// What an instructor should know of a tournament whose games begin by chance, where anybody can
// compute how: its seed is the one that configs have by themselves. Empty where all is well, or
// where the game begins alike from any seed.
std::string remark_on_seed(const config::TournamentConfig& tournament);

}  // namespace referee::cli
