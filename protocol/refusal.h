#pragma once

#include <string_view>

#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "protocol/messages.h"

// How a line that is no message is answered, and what is told of it.

namespace protocol {

// A member that may be left out may be null too; members that nobody knows are passed over.
inline constexpr json::ReadingRules message_rules{.null_is_absent = true};

// The object in the line, or what is wrong with it.
base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document);

ProtocolError refusal(const json::Mistake& mistake);

// Whether a line that was not a valid message may hold somebody's token, as a login does. Such
// lines are neither recorded nor told, but to who sent them. When in doubt the answer is yes.
bool may_hold_token(std::string_view line);
inline constexpr std::string_view line_not_shown =
    " (the line is not shown: it may hold a token or a password)";

}  // namespace protocol
