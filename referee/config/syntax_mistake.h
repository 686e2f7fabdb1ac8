#pragma once

#include <string_view>

#include "protocol/json/document.h"
#include "referee/config/config.h"

namespace referee::config {

// What is wrong with a text that is no JSON, told where a person has to mend it: a missing comma on
// the line that lacks it, a text without its closing quote on the line where it begins. Nothing
// that stands in the text is shown, because it may be a token or a password.
// Requires: `error` is what the parser said of this text.
ConfigError syntax_mistake(std::string_view text, const protocol::json::ParseError& error);

}  // namespace referee::config
