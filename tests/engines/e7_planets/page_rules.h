#pragma once

#include <optional>
#include <string_view>

#include "tests/json.h"

namespace tests {

// A second reading of the game's page, to check the engine against: it knows nothing but the
// state's JSON, and works waits and directions out of the histories. Slow and plain.

// The state after a turn. `move` is whatever the bot answered.
nlohmann::json next_state(const nlohmann::json& state, const nlohmann::json& move);

// Whether the last turn of the state ended in the ship being caught. A ghost that changed places
// with the ship is recorded where it was, so that it stands where the ship now is.
bool is_caught(const nlohmann::json& state);

}  // namespace tests
