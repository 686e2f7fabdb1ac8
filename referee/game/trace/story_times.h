#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "protocol/json/document.h"

// The times of a story's faults, in lines of their own.

namespace referee::trace {

// A text of a replay as one line that shows what is in it.
std::string line_of(protocol::json::View view);

// What a replay says of the times of a seat's turn; absent where nobody kept it.
protocol::json::View times_of(protocol::json::View all, protocol::json::View turn,
                              protocol::json::View seat);
// The times of a fault.
std::string describe_times(protocol::json::View evidence);
// How the charge of a turn came about.
std::string describe_charge(protocol::json::View times, std::optional<std::int64_t> charged_us);
// What became of the answer that was missing when a turn's time was over.
std::string describe_missing(protocol::json::View fault, protocol::json::View times);

}  // namespace referee::trace
