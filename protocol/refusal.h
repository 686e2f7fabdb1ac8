#pragma once

#include <string_view>

#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "protocol/messages.h"

// How a line that is no message is answered. Private to the codec.

namespace protocol {

// A member that may be left out may be null too; members that nobody knows are passed over.
inline constexpr json::ReadingRules message_rules{.null_is_absent = true};

// The object in the line, or what is wrong with it.
base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document);

ProtocolError refusal(const json::Mistake& mistake);

}  // namespace protocol
