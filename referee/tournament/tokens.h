#pragma once

#include <string>
#include <string_view>

namespace referee::tournament {

// How tokens are made and stored: in production by random numbers of the kernel and salted hashes.
class Tokens {
 public:
    virtual ~Tokens() = default;
    // A new token that can't be guessed.
    virtual std::string fresh() = 0;
    // What is stored in place of a token.
    virtual std::string hash_of(std::string_view token) = 0;
    // Whether the token is the one that was hashed.
    virtual bool matches(std::string_view token, std::string_view hash) = 0;
};

}  // namespace referee::tournament
