#include "referee/store/compression.h"

#include <zlib.h>

#include "protocol/base/assertion.h"

namespace referee::store {
namespace {

// A low level, since replays are written by the thousand a second and seldom read.
constexpr int level = 3;
// No text of zlib's is longer for its bytes: a size above that is not believed, nor given room.
constexpr std::size_t growth_max = 1032;

}  // namespace

std::string compress(std::string_view text) {
    auto size = compressBound(text.size());
    std::string out(size, '\0');
    const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(text.data()), text.size(), level);
    REFEREE_ASSERT(code == Z_OK);  // the buffer is large enough and the level is one
    out.resize(size);
    return out;
}

std::optional<std::string> decompress(std::string_view bytes, std::size_t size) {
    if (size / growth_max > bytes.size()) return std::nullopt;
    std::string text(size, '\0');
    uLongf found = size;
    auto used = static_cast<uLong>(bytes.size());
    const int code = uncompress2(reinterpret_cast<Bytef*>(text.data()), &found,
                                 reinterpret_cast<const Bytef*>(bytes.data()), &used);
    if (code != Z_OK || found != size || used != bytes.size()) return std::nullopt;
    return text;
}

}  // namespace referee::store
