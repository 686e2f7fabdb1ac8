#include "referee/watch/web/crosstable.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

using pseudonyms::Aliases;
using pseudonyms::NameMask;

TEST(CrosstableTest, ItHasNamesOfThoseWithoutALineInItsCells) {
    const auto aliases = std::make_shared<const Aliases>(
        "a secret", "friday", std::vector<std::string>{"Bob", "R", "=1"});
    const NameMask anybody(aliases, {});
    const auto alias = [&](std::string_view name) { return aliases->of(name); };
    const Crosstable table("no,name,round 1,points,rank\n1,\"R\",W2a 1; R,1,1\n2,'=1,LBob 0,0,2\n",
                           anybody);
    EXPECT_EQ(table.csv(), "no,name,round 1,points,rank\n1," + alias("R") + ",W2a 1; R,1,1\n2," +
                               alias("=1") + ",LBob 0,0,2\n");
    const Crosstable left("no,name,round 1,points,rank\n1,R,W Bob 1,0.5,1\n", anybody);
    EXPECT_EQ(left.json("friday"),
              R"({"tournament":"friday","columns":["round 1"],"bots":[{"number":1,"name":")" +
                  alias("R") + R"(","cells":["W )" + alias("Bob") +
                  R"( 1"],"points":0.5,"rank":1}]})");
}

}  // namespace
}  // namespace referee::web
