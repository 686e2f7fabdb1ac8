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
              R"({"status":"played","state":{"facing":"R"},"reason":"Bob left"})")
        << "Bob has no seat in it";
    EXPECT_EQ(anybody.json(R"({"bots":["Zoe"],"rows":[{"name":"Zoe"}]})"),
              R"({"bots":[")" + pseudonym("Zoe") + R"("],"rows":[{"name":")" + pseudonym("Zoe") +
                  R"("}]})")
        << "a name in its place is one, known or not";
    for (const auto* text :
         {R"({"match":"R/7","games":["R/7.1"],"title":"Ada","rule_text":"Bob is played by R"})",
          R"({"id":"R","tie_breaks":["played"],"params":{"name":"R"}})"})
        EXPECT_EQ(anybody.json(text), text);
    EXPECT_EQ(ada.json(R"({"name":"Ada","said":"I, Ada"})"), R"({"name":"Ada","said":"I, Ada"})");
    EXPECT_EQ(anybody.json("Bob"), "null") << "what can't be read is told to nobody";
    EXPECT_EQ(anybody.words("match R/7: R left"), "match R/7: " + pseudonym("R") + " left")
        << "an id is none";
}

// Else whoever lists names in a move is told whose pseudonym is whose.
TEST_F(PseudonymsTest, InWhatABotChoseOnlyItsOwnNameIsReplaced) {
    const auto bob = pseudonym("Bob");
    const auto read = anybody.lines(
        R"({"bots":["Ada","Bob"],"debug":["Ada, Bob and R",null]})"
        "\n"
        R"({"moves":["Ada Bob R",{"Bob":["BOB met Ada"]}]})"
        "\n"
        R"({"result":{"program":["","said: Ada, Bob"],"faults":[{"seat":1,"code":"R","message":)"
        R"("Bob sent \"Ada R\"","rule":"R","evidence":{"received":"Ada or Bob"}}]}})");
    EXPECT_EQ(read, R"({"bots":[")" + pseudonym("Ada") + R"(",")" + bob + R"("],"debug":[")" +
                        pseudonym("Ada") + R"(, Bob and R",null]})" + "\n" + R"({"moves":[")" +
                        pseudonym("Ada") + R"( Bob R",{")" + bob + R"(":[")" + bob +
                        R"( met Ada"]}]})" + "\n" + R"({"result":{"program":["","said: Ada, )" +
                        bob + R"("],"faults":[{"seat":1,"code":"R","message":")" + bob +
                        R"( sent \"Ada R\"","rule":"R","evidence":{"received":"Ada or )" + bob +
                        R"("}}]}})" + "\n");
    EXPECT_EQ(anybody.json(R"({"message":"Ada or Bob"})"), R"({"message":"Ada or Bob"})")
        << "of nobody knows whom";
    EXPECT_EQ(anybody.json(R"({"seat":3,"message":"Bob: Ada"})", {"Bob"}),
              R"({"seat":3,"message":")" + bob + R"(: Ada"})")
        << "faults of one bot";
    EXPECT_EQ(ada.json(R"({"bots":["Ada","Bob"],"moves":["Ada, Bob","Ada"]})"),
              R"({"bots":["Ada",")" + bob + R"("],"moves":["Ada, Bob","Ada"]})");
}

TEST_F(PseudonymsTest, AReasonEndsWhereItWouldQuoteABot) {
    const auto bob = pseudonym("Bob");
    const std::vector<std::string> bots{"Ada", "Bob"};
    const auto said = bob + " forfeits: ";
    EXPECT_EQ(anybody.reason("Bob forfeits: expected \"R\", found \"Ada, Bob\"", bots),
              said + "expected \"R\", found ...");
    EXPECT_EQ(anybody.reason("Bob forfeits: Bob sent a line that is no valid message: Ada", bots),
              said + bob + " sent a line that is no valid message: ...");
    EXPECT_EQ(anybody.reason("Bob forfeits: Bob is disconnected: it left, and said: Ada", bots),
              said + bob + " is disconnected: it left, and said: ...");
    EXPECT_EQ(anybody.reason("Bob forfeits: Bob's process has ended; it needs Ada", bots),
              said + bob + "'s process has ended...");
    EXPECT_EQ(anybody.reason("Bob forfeits: Bob was late; Ada forfeits: Ada was late, as R", bots),
              said + bob + " was late; " + pseudonym("Ada") + " forfeits: " + pseudonym("Ada") +
                  " was late, as R");
    EXPECT_EQ(ada.reason("Ada found 7 : 3", bots), "Ada found 7 : 3");
    const auto* const result =
        R"({"bots":["Ada","Bob"],"result":{"status":"%","reason":"Bob forfeits: R found \"Ada\""}})";
    const auto as = [&](const std::string& status) {
        auto text = std::string(result);
        return anybody.json(text.replace(text.find('%'), 1, status));
    };
    EXPECT_NE(as("forfeited").find(said + "R found ...\""), std::string::npos);
    EXPECT_NE(as("annulled").find(said + pseudonym("R") + " found \\\"" + pseudonym("Ada")),
              std::string::npos)
        << "by the instructor";
}

TEST_F(PseudonymsTest, ASentenceAboutTheOrderNamesTheFirst) {
    EXPECT_EQ(
        anybody.json(
            R"({"certainty":"R played by Ada","bots":[{"rank":null,"name":"R"},{"rank":1,"name":"Ada"}]})"),
        R"({"certainty":"R played by )" + pseudonym("Ada") + R"(","bots":[{"rank":null,"name":")" +
            pseudonym("R") + R"("},{"rank":1,"name":")" + pseudonym("Ada") + R"("}]})");
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
