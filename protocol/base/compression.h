#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace base {

// Text in zlib's format: Python's zlib.decompress() opens it.
std::string compress(std::string_view text);
// Nothing where `bytes` are not in this format, or don't unpack to `size` bytes.
std::optional<std::string> decompress(std::string_view bytes, std::size_t size);

// Text in gzip's format.
std::string gzip(std::string_view text);

}  // namespace base
