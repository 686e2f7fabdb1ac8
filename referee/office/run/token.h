#pragma once

#include <string>
#include <string_view>

namespace referee::run {

// A token that can't be guessed: 128 random bits from the kernel, as text.
std::string fresh_token();

// What is kept of a token: "pbkdf2-sha256$ROUNDS$SALT$HASH", salted anew each time.
std::string hash_of(std::string_view token);
// Whether the token is the one that was hashed.
bool matches(std::string_view token, std::string_view hash);

}  // namespace referee::run
