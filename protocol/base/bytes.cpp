#include "protocol/base/bytes.h"

#include <libdeflate.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <new>

#include "protocol/base/assertion.h"

namespace base {
namespace {

constexpr std::size_t bytes_of_group = 3;
constexpr std::size_t letters_of_group = 4;
constexpr std::size_t padding_max = 2;

const unsigned char* raw(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* raw(std::string& text) {
    return reinterpret_cast<unsigned char*>(text.data());
}

bool is_of_base64(char one) {
    return is_letter(one) || is_digit(one) || one == '+' || one == '/';
}

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

std::string base64_of(std::string_view bytes) {
    // The library writes a zero behind it.
    std::string text((bytes.size() + bytes_of_group - 1) / bytes_of_group * letters_of_group + 1,
                     '\0');
    EVP_EncodeBlock(raw(text), raw(bytes), static_cast<int>(bytes.size()));
    text.pop_back();
    return text;
}

// The library passes over blanks and reads padding as zeros, so both are looked at before.
std::optional<std::string> from_base64(std::string_view text) {
    if (text.size() % letters_of_group != 0) return std::nullopt;
    auto letters = text;
    while (letters.ends_with('=') && text.size() - letters.size() < padding_max)
        letters.remove_suffix(1);
    if (!std::all_of(letters.begin(), letters.end(), is_of_base64)) return std::nullopt;
    std::string bytes(text.size() / letters_of_group * bytes_of_group, '\0');
    if (EVP_DecodeBlock(raw(bytes), raw(text), static_cast<int>(text.size())) < 0)
        return std::nullopt;
    bytes.resize(bytes.size() - (text.size() - letters.size()));
    return bytes;
}

void Hasher::Closer::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Hasher::Hasher() : context_(EVP_MD_CTX_new()) {
    const int begun = EVP_DigestInit_ex2(context_.get(), EVP_sha256(), nullptr);
    REFEREE_ASSERT(begun == 1);
}

void Hasher::add(std::string_view bytes) {
    const int added = EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    REFEREE_ASSERT(added == 1);
}

void Hasher::add(const Digest& digest) {
    add(bytes_of(digest));
}

Digest Hasher::finish() {
    Digest digest{};
    const int ended = EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
    REFEREE_ASSERT(ended == 1);
    // Without a kind of digest the context keeps the one it has, which costs less.
    const int begun = EVP_DigestInit_ex2(context_.get(), nullptr, nullptr);
    REFEREE_ASSERT(begun == 1);
    return digest;
}

std::optional<Digest> digest_in(std::string_view hex) {
    Digest digest{};
    if (hex.size() != 2 * digest.size()) return std::nullopt;
    for (std::size_t i = 0; i < hex.size(); ++i) {
        const auto value = hex_digits.find(hex[i]);
        if (value == std::string_view::npos) return std::nullopt;
        auto& byte = digest[i / 2];
        byte = static_cast<unsigned char>((unsigned{byte} << bits_of_hex_digit) | value);
    }
    return digest;
}

std::string_view bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::optional<Digest> digest_of_bytes(std::string_view bytes) {
    Digest digest{};
    if (bytes.size() != digest.size()) return std::nullopt;
    std::copy(bytes.begin(), bytes.end(), digest.begin());
    return digest;
}

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
