#pragma once

#include <string>

#include "engines/game.h"
#include "engines/superball/board.h"
#include "protocol/base/result.h"

namespace engines::superball {

// The rules that params stand for, defaults filled in, or which member is wrong and why.
base::Result<Rules, SetupError> read_params(json::View params);

// All members, in the page's order.
std::string write_params(const Rules& rules);

}  // namespace engines::superball
