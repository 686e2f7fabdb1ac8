#include "referee/tournament/token.h"

#include <openssl/evp.h>
#include <sys/random.h>

#include <array>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/roster/roster.h"

namespace referee::tournament {
namespace {

constexpr std::size_t token_bytes = 16;
constexpr std::size_t salt_bytes = 8;
constexpr std::size_t hash_bytes = 32;
// So many rounds make each guess dear for a thief of the store, while a login costs a fraction of a
// millisecond.
constexpr int hash_rounds = 1000;
static_assert(hash_rounds <= roster::hash_rounds_max && roster::salt_digits == 2 * salt_bytes &&
              roster::hash_digits == 2 * hash_bytes);

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
    return fmt::format("{}{}${}${}", roster::hashed_token_begins, hash_rounds, salt,
                       stretched(token, salt, hash_rounds));
}

bool matches(std::string_view token, std::string_view hash) {
    const auto read = roster::read_token_hash(hash);
    if (!read) return false;
    return base::same_secret(stretched(token, read->salt, static_cast<int>(read->rounds)),
                             read->hash);
}

}  // namespace referee::tournament
