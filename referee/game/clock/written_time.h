#pragma once

#include <optional>
#include <string_view>

#include "protocol/json/reader.h"
#include "referee/game/clock/time.h"

// Lengths of time as an instructor writes them, in configs and rubrics.

namespace referee::clock {

// "1s", "50ms", "10m"; nothing where it is no time.
std::optional<Duration> time_from(std::string_view text);

// "250ms", "1s", "10m", "2h", or an integer of microseconds. `value` stays as it is where the
// member is left out or wrong.
void read_time(protocol::json::Reader& reader, std::string_view name, Duration& value);

}  // namespace referee::clock
