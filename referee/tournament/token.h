#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"

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

}  // namespace referee::tournament
