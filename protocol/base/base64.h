#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

// Bytes as text, as RFC 4648 has it in its section 4: the usual letters, with padding.
std::string base64_of(std::string_view bytes);
// Nothing where the text is none: no blank, no other letter, and padding where it belongs.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace base
