#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/base/text.h"

struct evp_md_ctx_st;

namespace base {

inline constexpr unsigned bits_of_hex_digit = 4;

// Two small hexadecimal digits a byte.
inline std::string hex_of(std::span<const unsigned char> bytes) {
    constexpr unsigned digit_mask = (1U << bits_of_hex_digit) - 1;
    std::string text;
    for (const auto byte : bytes) {
        text += hex_digits[byte >> bits_of_hex_digit];
        text += hex_digits[byte & digit_mask];
    }
    return text;
}

// Bytes as text, as RFC 4648 has it in its section 4: the usual letters, with padding.
std::string base64_of(std::string_view bytes);
// Nothing where the text is none: no blank, no other letter, and padding where it belongs.
std::optional<std::string> from_base64(std::string_view text);

// SHA-256 of something.
using Digest = std::array<unsigned char, 32>;

// Takes bytes in pieces. Not thread safe.
class Hasher {
 public:
    Hasher();
    void add(std::string_view bytes);
    void add(const Digest& digest);
    // Of all that was added since the last call.
    Digest finish();

 private:
    struct Closer {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Closer> context_;
};

// Of the parts, one behind the other: each is bytes or a digest.
template <typename... Parts>
Digest digest_of(const Parts&... parts) {
    Hasher hasher;
    (hasher.add(parts), ...);
    return hasher.finish();
}

// Nothing where the text is not 64 small hex digits.
std::optional<Digest> digest_in(std::string_view hex);
std::string_view bytes_of(const Digest& digest);
// Nothing where they are not as many bytes as a digest has.
std::optional<Digest> digest_of_bytes(std::string_view bytes);

// Whether two secrets are the same; takes as long for a wrong one as for a right one, so that time
// tells nothing about it.
inline bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^
                                            static_cast<unsigned char>(b[i]));
    }
    return difference == 0;
}

// Text in zlib's format: Python's zlib.decompress() opens it.
std::string compress(std::string_view text);
// Nothing where `bytes` are not in this format, or don't unpack to `size` bytes.
std::optional<std::string> decompress(std::string_view bytes, std::size_t size);

// Text in gzip's format.
std::string gzip(std::string_view text);

}  // namespace base
