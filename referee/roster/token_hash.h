#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace referee::roster {

// How a text begins that stands in place of a token: "pbkdf2-sha256$ROUNDS$SALT$HASH".
inline constexpr std::string_view hashed_token_begins = "pbkdf2-sha256$";
inline constexpr std::size_t salt_digits = 16;
inline constexpr std::size_t hash_digits = 64;
// Each login pays for the rounds on the referee's one thread: more of them, such as a damaged line
// may name, would hold up every game.
inline constexpr unsigned hash_rounds_max = 100'000;

struct TokenHash {
    unsigned rounds = 0;    // from 1 to hash_rounds_max
    std::string_view salt;  // hexadecimal digits, as is the hash
    std::string_view hash;
};
// The parts live as long as `text`. An error says what was expected and what was found, and shows
// nothing of the salt and the hash.
base::Result<TokenHash, std::string> read_token_hash(std::string_view text);

}  // namespace referee::roster
