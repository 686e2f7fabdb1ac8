#pragma once

#include <optional>

#include "protocol/json/reader.h"
#include "referee/config/config.h"
#include "referee/roster/kinds/kind.h"

namespace referee::config {

namespace json = protocol::json;

// The member "program" of a bot; nothing where there is none, or where it is wrong.
std::optional<kinds::KindProgram> read_program(json::Reader& bot);

// Has the bot launched with the adapter of the program's kind. Requires: its directory, and
// whatever else it reads, are known.
void set_program(BotConfig& bot, const kinds::KindProgram& program);

}  // namespace referee::config
