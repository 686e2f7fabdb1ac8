#include "referee/watching/web/aliases.h"

#include <gtest/gtest.h>

#include "referee/watching/web/crosstable.h"

namespace referee::web {
namespace {

struct AliasesTest : testing::Test {
    std::shared_ptr<const Aliases> aliases = std::make_shared<const Aliases>(
        "a secret", "friday",
        std::vector<std::string>{"Ada", "Ada the Great", "Bob", "R", "played", "<b>", "=1"});
    Veil anybody{aliases, {}};
    Veil ada{aliases, "Ada"};
    std::string alias(std::string_view name) const { return aliases->of(name); }
};

TEST_F(AliasesTest, APseudonymHoldsForATournamentAndFollowsFromTheSecretAlone) {
    EXPECT_EQ(alias("Ada"), Aliases("a secret", "friday", {}).of("Ada"));
    EXPECT_NE(alias("Ada"), Aliases("another", "friday", {}).of("Ada"));
    EXPECT_NE(alias("Ada"), Aliases("a secret", "monday", {}).of("Ada"));
    EXPECT_NE(alias("Ada"), alias("Bob"));
    EXPECT_TRUE(alias("Ada").starts_with("bot-"));
    EXPECT_EQ(alias("Ada").find("Ada"), std::string::npos);
}

TEST_F(AliasesTest, NamesInTextsAreWordsAndTheLongestCounts) {
    EXPECT_EQ(anybody.words("Ada forfeits: Ada's process"),
              alias("Ada") + " forfeits: " + alias("Ada") + "'s process");
    EXPECT_EQ(anybody.words("Ada the Great, Bobby and Bob"),
              alias("Ada the Great") + ", Bobby and " + alias("Bob"));
    EXPECT_EQ(anybody.words("x<b>Bob</b>"), "x<b>" + alias("Bob") + "</b>") << "behind a letter";
    EXPECT_EQ(ada.words("Ada met Bob"), "Ada met " + alias("Bob"));
    EXPECT_EQ(Veil().words("Ada met Bob"), "Ada met Bob");
}

TEST_F(AliasesTest, WhatEnginesAndRulesMadeStaysWhateverBotsAreCalled) {
    EXPECT_EQ(
        anybody.json(R"({"status":"played","state":{"facing":"R"},"reason":"Bob left"})"),
        R"({"status":"played","state":{"facing":"R"},"reason":")" + alias("Bob") + R"( left"})");
    EXPECT_EQ(anybody.json(R"({"bots":["Zoe"],"rows":[{"name":"Zoe"}]})"),
              R"({"bots":[")" + alias("Zoe") + R"("],"rows":[{"name":")" + alias("Zoe") + R"("}]})")
        << "a name in its place is one, known or not";
    EXPECT_EQ(anybody.json(R"({"moves":[{"Bob":["it is Bob"]},7]})"),
              R"({"moves":[{")" + alias("Bob") + R"(":["it is )" + alias("Bob") + R"("]},7]})");
    EXPECT_EQ(ada.json(R"({"name":"Ada","said":"I, Ada"})"), R"({"name":"Ada","said":"I, Ada"})");
    EXPECT_EQ(anybody.json("Bob"), "null") << "what can't be read is told to nobody";
}

TEST_F(AliasesTest, NobodyIsFoundByAHiddenName) {
    EXPECT_EQ(anybody.behind("Ada"), "");
    EXPECT_EQ(anybody.behind(alias("Ada")), "Ada");
    EXPECT_EQ(ada.behind("Ada"), "Ada");
    EXPECT_EQ(ada.behind(alias("Ada")), "") << "it has its own name here";
    EXPECT_EQ(anybody.behind("bot-0"), "");
    EXPECT_EQ(Veil().behind("Ada"), "Ada");
}

TEST_F(AliasesTest, ACrossTableHasNamesOfThoseWithoutALineInItsCells) {
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
