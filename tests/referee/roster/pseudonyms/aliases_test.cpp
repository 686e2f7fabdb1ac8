#include "referee/roster/pseudonyms/aliases.h"

#include <gtest/gtest.h>

namespace referee::pseudonyms {
namespace {

struct AliasesTest : testing::Test {
    std::shared_ptr<const Aliases> aliases = std::make_shared<const Aliases>(
        "a secret", "friday",
        std::vector<std::string>{"Ada", "Ada the Great", "Bob", "R", "played", "<b>", "=1"});
    NameMask anybody{aliases, {}};
    NameMask ada{aliases, "Ada"};
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
    EXPECT_EQ(NameMask().words("Ada met Bob"), "Ada met Bob");
}

// Whoever writes a name in capitals, or without its accents, means the same bot.
TEST_F(AliasesTest, NearFormsOfANameAreItToo) {
    EXPECT_EQ(anybody.words("BOB's, bób and Bobby, or bob"),
              alias("Bob") + "'s, " + alias("Bob") + " and Bobby, or " + alias("Bob"));
    EXPECT_EQ(anybody.words("ada the great"), alias("Ada") + " the great") << "nobody is told";
    EXPECT_EQ(ada.words("ADA met BOB"), "ADA met " + alias("Bob")) << "the own name stays as it is";
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
    EXPECT_EQ(NameMask().behind("Ada"), "Ada");
}

}  // namespace
}  // namespace referee::pseudonyms
