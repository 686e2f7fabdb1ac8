#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "referee/store/records/records.h"

// Tokens: how they are made and kept, and which names were given one.

namespace referee::tournament {

// A token that can't be guessed: 128 random bits from the kernel, as text.
std::string fresh_token();

// What is stored in place of a token: "pbkdf2-sha256$ROUNDS$SALT$HASH", with a new salt each time.
std::string hash_of(std::string_view token);
// Whether the token is the one that was hashed.
bool matches(std::string_view token, std::string_view hash);

// The secret that a file has, which only its owner may read (mode 0600); where there is no such
// file, it is made with a new one. An error says what is wrong with the file.
base::Result<std::string, std::string> secret_in(const std::string& file);

// How tokens are made and stored: by the functions above, but in a simulation.
class Tokens {
 public:
    virtual ~Tokens() = default;
    virtual std::string fresh() { return fresh_token(); }
    virtual std::string hash_of(std::string_view token) { return tournament::hash_of(token); }
    virtual bool matches(std::string_view token, std::string_view hash) {
        return tournament::matches(token, hash);
    }
};

// How a name stands that was given a token after the config was written. It is the first word of
// TokenRecord::origin; behind it stand from where the name was registered, where that is known, and
// why it was refused ("refused 192.0.2.7 not of this class"). So the last record of a name tells
// all about it.
enum class Standing : std::uint8_t {
    registered,  // by whoever came first with the class password
    waiting,     // the same, where the instructor approves names
    approved,
    refused,
    given,  // its token was made by the instructor
};
// "registered", "waiting", "approved", "refused", "ctl".
std::string_view name_of(Standing standing);
// As TokenRecord::origin has it. The others may be empty.
std::string origin_of(Standing standing, const std::string& from, const std::string& reason = {});
// What is told to whose name the instructor refused.
std::string told_of_refusal(const std::string& reason);

// The names that were given tokens, as the records tell. Tokens are known by their hashes.
class RegisteredNames {
 public:
    struct Name {
        std::string hash;
        Standing standing = Standing::registered;
        std::string from;    // the address; empty where the records don't tell
        std::string reason;  // why it was refused; empty: none was given
    };
    using Names = std::map<std::string, Name, std::less<>>;

    // A record of a former run, or one that has been written. A record without a hash takes the
    // name back.
    void know(const records::TokenRecord& record);
    // Null where the name has no token.
    const Name* find(std::string_view name) const;
    // The record that makes a name stand so; nothing where it has no token.
    std::optional<records::TokenRecord> judged(std::string_view name, Standing standing,
                                               const std::string& reason = {}) const;

    const Names& all() const { return names_; }
    // Names that were registered and not refused: those that count for the total.
    std::size_t counted() const { return counted_; }

 private:
    Names names_;
    std::size_t counted_ = 0;
};

}  // namespace referee::tournament
