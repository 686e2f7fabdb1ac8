#include "referee/tournament/token.h"

#include <openssl/evp.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
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

// Who makes one by hand may make it longer than we do.
constexpr std::size_t secret_bytes_max = 1024;
constexpr std::size_t secret_bytes_min = 32;  // 128 bits as hexadecimal digits
constexpr mode_t secret_mode = S_IRUSR | S_IWUSR;

base::Result<std::string, std::string> make_secret(const std::string& file) {
    const auto secret = fresh_token();
    if (auto kept = files::keep_file(file, secret, secret_mode); !kept)
        return base::failure("can't write " + file + ": " + kept.error());
    return secret;
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

base::Result<std::string, std::string> secret_in(const std::string& file) {
    if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return make_secret(file);
    auto secret = files::read_named_file(file, secret_bytes_max);
    if (!secret) return base::failure(file + " " + secret.error());
    if (secret->size() < secret_bytes_min)
        return base::failure(
            fmt::format("{}: expected a secret of at least {} bytes; remove the file, and the "
                        "referee makes a new one, with which all bots get new pseudonyms",
                        file, secret_bytes_min));
    return *std::move(secret);
}

}  // namespace referee::tournament
