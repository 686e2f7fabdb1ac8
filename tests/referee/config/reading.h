#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "referee/config/config.h"

namespace referee::config {

// The config that a text means; a failure, and an empty one, where there are mistakes in it.
Config good(const std::string& text);

// A tournament of two bots that dial in, with these members too.
TournamentConfig tournament(const std::string& members);

std::vector<nlohmann::json> setups_of(const TournamentConfig& config);

}  // namespace referee::config
