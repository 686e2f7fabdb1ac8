#pragma once

#include <cstdint>
#include <string>

#include "protocol/base/result.h"
#include "protocol/json/document.h"

namespace referee::trace {

// What of a replay's first line there must be; what there is must always be of its type.
enum class Header : std::uint8_t {
    any,    // beside its version, nothing: a story can be told of any
    whole,  // all that it takes to play the game on
};

// What is wrong with the first line of a replay, with its member: "seed: expected an integer from 0
// to 4294967295, found a string". Whether the game is known, and has so many seats, is for others.
base::Result<void, std::string> check_header(protocol::json::View header, Header needed);

}  // namespace referee::trace
