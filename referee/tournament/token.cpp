#include "referee/tournament/token.h"

#include <openssl/evp.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "protocol/base/assertion.h"
#include "protocol/base/bytes.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/find.h"
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

constexpr std::array<base::Named<Standing>, 5> standings = {{
    {Standing::registered, "registered"},
    {Standing::waiting, "waiting"},
    {Standing::approved, "approved"},
    {Standing::refused, "refused"},
    {Standing::given, "ctl"},
}};
static_assert(base::in_order(standings));

bool counts(Standing standing) {
    return standing != Standing::refused && standing != Standing::given;
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

std::string_view name_of(Standing standing) {
    return base::row_of(standings, standing).name;
}

std::string origin_of(Standing standing, const std::string& from, const std::string& reason) {
    return std::string(name_of(standing)) + (from.empty() && reason.empty() ? "" : " " + from) +
           (reason.empty() ? "" : " " + reason);
}

std::string told_of_refusal(const std::string& reason) {
    return "the instructor has refused this name" +
           (reason.empty() ? "; ask the instructor" : ": " + reason);
}

void RegisteredNames::know(const records::TokenRecord& record) {
    if (const auto found = names_.find(record.bot); found != names_.end()) {
        if (counts(found->second.standing)) --counted_;
        names_.erase(found);
    }
    if (record.hash.empty()) return;
    std::string_view rest = record.origin;
    const auto word = [&rest] {
        const auto one = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        return one;
    };
    const auto standing = base::value_named(standings, word()).value_or(Standing::registered);
    const std::string from(word());
    names_.emplace(record.bot, Name{record.hash, standing, from, std::string(rest)});
    if (counts(standing)) ++counted_;
}

const RegisteredNames::Name* RegisteredNames::find(std::string_view name) const {
    return base::find_in(names_, name);
}

std::optional<records::TokenRecord> RegisteredNames::judged(std::string_view name,
                                                            Standing standing,
                                                            const std::string& reason) const {
    const auto* known = find(name);
    if (known == nullptr) return std::nullopt;
    return records::TokenRecord{std::string(name), known->hash,
                                origin_of(standing, known->from, reason)};
}

}  // namespace referee::tournament
