#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace referee::store {

// Text in zlib's format: Python's zlib.decompress() opens it.
std::string compress(std::string_view text);
// Nothing where `bytes` are not in this format, or don't unpack to `size` bytes.
std::optional<std::string> decompress(std::string_view bytes, std::size_t size);

}  // namespace referee::store
