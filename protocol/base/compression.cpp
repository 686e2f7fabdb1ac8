#include "protocol/base/compression.h"

#include <libdeflate.h>

#include <memory>
#include <new>

#include "protocol/base/assertion.h"

namespace base {
namespace {

// Of 1 to 12. The next one takes a fifth to two fifths longer for 4 to 9 % less of a game.
constexpr int level = 5;
// No text of zlib's is longer for its bytes: a size above that is not believed, nor given room.
constexpr std::size_t growth_max = 1032;

using Bound = std::size_t (*)(libdeflate_compressor*, std::size_t);
using Compress = std::size_t (*)(libdeflate_compressor*, const void*, std::size_t, void*,
                                 std::size_t);

std::string packed(std::string_view text, Bound bound, Compress compress) {
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (!compressor) throw std::bad_alloc();
    std::string out(bound(compressor.get(), text.size()), '\0');
    out.resize(compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
    REFEREE_ASSERT(!out.empty());  // the buffer is large enough
    return out;
}

}  // namespace

std::string compress(std::string_view text) {
    return packed(text, libdeflate_zlib_compress_bound, libdeflate_zlib_compress);
}

std::string gzip(std::string_view text) {
    return packed(text, libdeflate_gzip_compress_bound, libdeflate_gzip_compress);
}

std::optional<std::string> decompress(std::string_view bytes, std::size_t size) {
    if (size / growth_max > bytes.size()) return std::nullopt;
    const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)>
        decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!decompressor) throw std::bad_alloc();
    std::string text(size, '\0');
    std::size_t used = 0;
    // Without a place for the length that it found, any but `size` is an error.
    const auto result = libdeflate_zlib_decompress_ex(
        decompressor.get(), bytes.data(), bytes.size(), text.data(), size, &used, nullptr);
    if (result != LIBDEFLATE_SUCCESS || used != bytes.size()) return std::nullopt;
    return text;
}

}  // namespace base
