#pragma once

#include <string>
#include <vector>

#include "referee/config/reader.h"

// Configs with one mistake each.

namespace referee::config {

struct Mistake {
    const char* text;
    const char* member;
    const char* says;  // a part of the message
};

std::vector<ConfigError> errors_of(const std::string& text);

// Each text stands on line 2 of a config and is the only mistake in it.
void check(const std::string& before, const std::vector<Mistake>& mistakes,
           const std::string& after);

}  // namespace referee::config
