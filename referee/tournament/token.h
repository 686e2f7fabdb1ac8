#pragma once

#include <string>
#include <string_view>

#include "referee/tournament/config_roster.h"

namespace referee::tournament {

// A token that can't be guessed: 128 random bits from the kernel, as text.
std::string fresh_token();

// What is stored in place of a token: "pbkdf2-sha256$ROUNDS$SALT$HASH", with a new salt each time.
std::string hash_of(std::string_view token);
// Whether the token is the one that was hashed.
bool matches(std::string_view token, std::string_view hash);

// These functions as what a referee needs.
class KernelTokens final : public tournament::Tokens {
 public:
    std::string fresh() override { return fresh_token(); }
    std::string hash_of(std::string_view token) override { return tournament::hash_of(token); }
    bool matches(std::string_view token, std::string_view hash) override {
        return tournament::matches(token, hash);
    }
};

}  // namespace referee::tournament
