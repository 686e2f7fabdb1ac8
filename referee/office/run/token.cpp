#include "referee/office/run/token.h"

#include <openssl/evp.h>
#include <sys/random.h>

#include <array>
#include <charconv>
#include <optional>

#include "protocol/base/assertion.h"
#include "protocol/base/hex.h"
#include "protocol/base/secret.h"

namespace referee::run {
namespace {

constexpr std::size_t token_bytes = 16;
constexpr std::size_t salt_bytes = 8;
constexpr std::size_t hash_bytes = 32;
// So many rounds make each guess dear for a thief of the store, while a login costs a fraction of a
// millisecond.
constexpr int rounds = 1000;
constexpr std::string_view scheme = "pbkdf2-sha256$";

std::string random_hex(std::size_t count) {
    std::array<unsigned char, token_bytes> bytes{};
    REFEREE_ASSERT(count <= bytes.size());
    const auto drawn = getrandom(bytes.data(), count, 0);
    REFEREE_ASSERT(drawn == static_cast<ssize_t>(count));
    return base::hex_of({bytes.data(), count});
}

std::string stretched(std::string_view token, std::string_view salt, int times) {
    std::array<unsigned char, hash_bytes> hash{};
    const int done = PKCS5_PBKDF2_HMAC(token.data(), static_cast<int>(token.size()),
                                       reinterpret_cast<const unsigned char*>(salt.data()),
                                       static_cast<int>(salt.size()), times, EVP_sha256(),
                                       static_cast<int>(hash.size()), hash.data());
    REFEREE_ASSERT(done == 1);
    return base::hex_of(hash);
}

}  // namespace

std::string fresh_token() {
    return random_hex(token_bytes);
}

std::string hash_of(std::string_view token) {
    const auto salt = random_hex(salt_bytes);
    return std::string(scheme) + std::to_string(rounds) + "$" + salt + "$" +
           stretched(token, salt, rounds);
}

bool matches(std::string_view token, std::string_view hash) {
    if (!hash.starts_with(scheme)) return false;
    hash.remove_prefix(scheme.size());
    int times = 0;
    const auto read = std::from_chars(hash.data(), hash.data() + hash.size(), times);
    if (read.ec != std::errc() || times < 1) return false;
    hash.remove_prefix(static_cast<std::size_t>(read.ptr - hash.data()));
    if (!hash.starts_with('$')) return false;
    hash.remove_prefix(1);
    const auto end = hash.find('$');
    if (end == std::string_view::npos) return false;
    return base::same_secret(stretched(token, hash.substr(0, end), times), hash.substr(end + 1));
}

}  // namespace referee::run
