#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "tests/json.h"

namespace referee::config {

// The config that is read from the text. Where it has mistakes, the test fails and the config is
// empty.
Config good(const std::string& text);

// A tournament of two bots that dial in, with these members too.
TournamentConfig tournament(const std::string& members);

std::vector<nlohmann::json> setups_of(const TournamentConfig& config);

}  // namespace referee::config
