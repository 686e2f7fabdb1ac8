#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/json/reader.h"
#include "protocol/messages.h"

// What is wrong with a line that is no message, and what is told of it.

namespace protocol {

// The object in the line, or what is wrong with it.
base::Result<json::View, ProtocolError> parse_object(std::string_view line,
                                                     json::Document& document);

// What to answer to a message with such a mistake.
ProtocolError refusal(const json::Mistake& mistake);

// What to answer to a line that the framer gave up.
ProtocolError line_too_long(std::size_t line_bytes_max);

// Whether a bot seems to have printed text for people where its messages belong.
bool is_plain_text(const ProtocolError& error);
// Tells such a line so: the first of a connection in full, with where such text belongs; later ones
// in a few words. `count`: which of them it is, from 1.
void tell_plain_text(ProtocolError& error, bool over_standard_output, std::uint64_t count);

// Whether a line that was not a valid message may hold somebody's token, as a login does. Such
// lines are neither recorded nor told, but to who sent them. When in doubt the answer is yes.
bool may_hold_token(std::string_view line);
inline constexpr std::string_view line_not_shown =
    " (the line is not shown: it may hold a token or a password)";

}  // namespace protocol
