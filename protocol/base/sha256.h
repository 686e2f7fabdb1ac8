#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/hex.h"

struct evp_md_ctx_st;

namespace base {

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

// Nothing where the text is not 64 small hex digits.
std::optional<Digest> digest_in(std::string_view hex);
std::string_view bytes_of(const Digest& digest);
// Nothing where they are not as many bytes as a digest has.
std::optional<Digest> digest_of_bytes(std::string_view bytes);

}  // namespace base
