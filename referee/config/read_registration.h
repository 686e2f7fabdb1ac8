#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/config/fields.h"

namespace referee::config {

// "registration"; opens nothing.
void read_registration(json::Reader& root, const std::string& directory, Config& config);

// Reads the roster that the config names, if any, and holds it against the config's bots.
// `config.bots` is complete.
void read_class_roster(json::Reader& root, Config& config);

// Warns of files with secrets that every user of the machine can read: the config's own, and its
// roster.
void warn_of_open_secrets(const std::string& file, Config& config);

}  // namespace referee::config
