#include "referee/tournament/token.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace referee::tournament {
namespace {

TEST(Token, FreshOnesDiffer) {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const auto token = fresh_token();
        EXPECT_EQ(token.size(), 32U);
        EXPECT_TRUE(seen.insert(token).second);
    }
}

TEST(Token, OnlyTheOneThatWasHashedMatches) {
    const std::vector<std::string> tokens{"", "a", "ann's own token", "tökén with ütf-8",
                                          std::string(256, 'x')};
    for (const auto& token : tokens) {
        const auto hash = hash_of(token);
        // A short token may occur in any row of digits by chance.
        if (token.size() > 8) {
            EXPECT_EQ(hash.find(token), std::string::npos) << "the token is not in it";
        }
        EXPECT_TRUE(matches(token, hash));
        EXPECT_FALSE(matches(token + "x", hash));
        EXPECT_NE(hash_of(token), hash) << "salted anew";
    }
}

TEST(Token, WhatIsNoHashMatchesNothing) {
    const auto good = hash_of("secret");
    for (const auto& hash :
         {std::string(), std::string("secret"), std::string("pbkdf2-sha256$"),
          std::string("pbkdf2-sha256$x$y$z"), std::string("pbkdf2-sha256$0$salt$hash"),
          std::string("pbkdf2-sha256$1000$salt"),
          // Would freeze the daemon if it were computed.
          "pbkdf2-sha256$400000000" + good.substr(good.find("$", good.find("$") + 1)), good + "0",
          good.substr(0, good.size() - 1)}) {
        EXPECT_FALSE(matches("secret", hash)) << hash;
    }
}

}  // namespace
}  // namespace referee::tournament
