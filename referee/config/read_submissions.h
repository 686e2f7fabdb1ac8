#pragma once

#include "referee/config/config.h"
#include "referee/config/fields.h"

namespace referee::config {

// "submissions": whether bots' owners may hand in programs, which the referee builds and launches.
// Requires: the tournaments and who may register are read.
void read_submissions(json::Reader& root, Config& config);

}  // namespace referee::config
