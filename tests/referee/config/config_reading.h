#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/config/read_config.h"
#include "tests/json.h"

// Configs with one mistake each.

namespace referee::config {

// The config that is read from the text. Where it has mistakes, the test fails and the config is
// empty.
Config good(const std::string& text);

// A tournament of two bots that dial in, with these members too.
TournamentConfig tournament(const std::string& members);

std::vector<nlohmann::json> setups_of(const TournamentConfig& config);

std::vector<ConfigError> errors_of(const std::string& text);

// Each text of the table (tests/mistake_rows.h) stands on line 2 of a config and is the only
// mistake in it. The members are told as they stand below `in`.
void check(const std::string& before, const std::string& table, const std::string& after,
           const std::string& in = {});

}  // namespace referee::config
