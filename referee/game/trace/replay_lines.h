#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {

inline constexpr std::size_t line_depth_max = 64;

// A replay in its parts: views of its text.
struct Lines {
    std::string_view first;
    std::string_view turns;  // the lines between, with their line feeds
    std::string_view last;   // has the result
};

base::Result<Lines, Refusal> lines_of(std::string_view replay, const std::string& file);

// An array's elements; absent ones where it has fewer.
std::vector<protocol::json::View> by_seat(protocol::json::View array, std::size_t seats);

// What each seat was charged, by turn.
using Charged = std::vector<std::vector<std::int64_t>>;

// The replay's turns, which are those that the result tells. A result may leave that out.
base::Result<Charged, Refusal> compared_turns(protocol::json::View told, const Lines& lines,
                                              const std::string& file);

}  // namespace referee::trace
