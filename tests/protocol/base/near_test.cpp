#include "protocol/base/near.h"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Near, TheNameThatASlipLeadsFrom) {
    const std::vector<std::string> known{"ann", "alice", "bob", "team-14", "alicia"};
    for (const auto& [typed, meant] :
         {std::pair("alcie", "alice"), std::pair("alic", "alice"), std::pair("allice", "alice"),
          std::pair("anm", "ann"), std::pair("team_41", "team-14"), std::pair("bobb", "bob"),
          std::pair("zed", ""), std::pair("a", ""), std::pair("xy", ""), std::pair("charlie", "")})
        EXPECT_EQ(nearest(typed, known), meant) << typed;
    EXPECT_EQ(nearest("ann", {}), "");
}

}  // namespace
}  // namespace base
