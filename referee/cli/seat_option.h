#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::cli {

// "0 alice, 1 bob"
std::string seats_told(const std::vector<std::string>& bots);

// A seat of a recorded game that --seat names, by its number or its bot. An error says which there
// are. Requires: something is given.
base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots);

}  // namespace referee::cli
