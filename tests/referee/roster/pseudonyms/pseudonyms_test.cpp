#include "referee/roster/pseudonyms/pseudonyms.h"

#include <gtest/gtest.h>

namespace referee::pseudonyms {
namespace {

struct PseudonymsTest : testing::Test {
    std::shared_ptr<const Pseudonyms> pseudonyms = std::make_shared<const Pseudonyms>(
        "a secret", "friday",
        std::vector<std::string>{"Ada", "Ada the Great", "Bob", "R", "played", "<b>", "=1"});
    NameMask anybody{pseudonyms, {}};
    NameMask ada{pseudonyms, "Ada"};
    std::string pseudonym(std::string_view name) const { return pseudonyms->of(name); }
};

TEST_F(PseudonymsTest, APseudonymHoldsForATournamentAndFollowsFromTheSecretAlone) {
    EXPECT_EQ(pseudonym("Ada"), Pseudonyms("a secret", "friday", {}).of("Ada"));
    EXPECT_NE(pseudonym("Ada"), Pseudonyms("another", "friday", {}).of("Ada"));
    EXPECT_NE(pseudonym("Ada"), Pseudonyms("a secret", "monday", {}).of("Ada"));
    EXPECT_NE(pseudonym("Ada"), pseudonym("Bob"));
    EXPECT_TRUE(pseudonym("Ada").starts_with("bot-"));
    EXPECT_EQ(pseudonym("Ada").find("Ada"), std::string::npos);
}

TEST_F(PseudonymsTest, NamesInTextsAreWordsAndTheLongestCounts) {
    EXPECT_EQ(anybody.words("Ada forfeits: Ada's process"),
              pseudonym("Ada") + " forfeits: " + pseudonym("Ada") + "'s process");
    EXPECT_EQ(anybody.words("Ada the Great, Bobby and Bob"),
              pseudonym("Ada the Great") + ", Bobby and " + pseudonym("Bob"));
    EXPECT_EQ(anybody.words("x<b>Bob</b>"), "x<b>" + pseudonym("Bob") + "</b>")
        << "behind a letter";
    EXPECT_EQ(ada.words("Ada met Bob"), "Ada met " + pseudonym("Bob"));
    EXPECT_EQ(NameMask().words("Ada met Bob"), "Ada met Bob");
}

// Whoever writes a name in capitals, or without its accents, means the same bot.
TEST_F(PseudonymsTest, NearFormsOfANameAreItToo) {
    EXPECT_EQ(anybody.words("BOB's, bób and Bobby, or bob"),
              pseudonym("Bob") + "'s, " + pseudonym("Bob") + " and Bobby, or " + pseudonym("Bob"));
    EXPECT_EQ(anybody.words("ada the great"), pseudonym("Ada") + " the great") << "nobody is told";
    EXPECT_EQ(ada.words("ADA met BOB"), "ADA met " + pseudonym("Bob"))
        << "the own name stays as it is";
}

TEST_F(PseudonymsTest, WhatEnginesAndRulesMadeStaysWhateverBotsAreCalled) {
    EXPECT_EQ(anybody.json(R"({"status":"played","state":{"facing":"R"},"reason":"Bob left"})"),
              R"({"status":"played","state":{"facing":"R"},"reason":")" + pseudonym("Bob") +
                  R"( left"})");
    EXPECT_EQ(anybody.json(R"({"bots":["Zoe"],"rows":[{"name":"Zoe"}]})"),
              R"({"bots":[")" + pseudonym("Zoe") + R"("],"rows":[{"name":")" + pseudonym("Zoe") +
                  R"("}]})")
        << "a name in its place is one, known or not";
    EXPECT_EQ(
        anybody.json(R"({"moves":[{"Bob":["it is Bob"]},7]})"),
        R"({"moves":[{")" + pseudonym("Bob") + R"(":["it is )" + pseudonym("Bob") + R"("]},7]})");
    EXPECT_EQ(ada.json(R"({"name":"Ada","said":"I, Ada"})"), R"({"name":"Ada","said":"I, Ada"})");
    EXPECT_EQ(anybody.json("Bob"), "null") << "what can't be read is told to nobody";
}

TEST_F(PseudonymsTest, NobodyIsFoundByAHiddenName) {
    EXPECT_EQ(anybody.behind("Ada"), "");
    EXPECT_EQ(anybody.behind(pseudonym("Ada")), "Ada");
    EXPECT_EQ(ada.behind("Ada"), "Ada");
    EXPECT_EQ(ada.behind(pseudonym("Ada")), "") << "it has its own name here";
    EXPECT_EQ(anybody.behind("bot-0"), "");
    EXPECT_EQ(NameMask().behind("Ada"), "Ada");
}

}  // namespace
}  // namespace referee::pseudonyms
