// Configs that are no JSON: told on the line that a person has to mend.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/config/reading.h"

namespace referee::config {
namespace {

using testing::HasSubstr;

struct Broken {
    const char* text;
    std::size_t line;
    const char* says;
};

TEST(ConfigSyntaxTest, IsToldWhereItIsToBeMended) {
    const std::vector<Broken> cases{
        {"{\n\"grace\": \"1s\"\n\"cores\": 2}", 2, "a comma is missing"},
        {"{\n\"grace\": \"1s\"\n\n// bots\n\"cores\": 2}", 2, "follows in line 5"},
        {"{\n\"bots\": [{\"name\": \"a\"}\n{\"name\": \"b\"}]}", 2, "a comma is missing"},
        {"{\n\"bots\": [1\n2]}", 2, "a comma is missing"},
        {"{\n\"bots\": []\n\"cores\": 2}", 2, "a comma is missing"},
        {"{\n\"a\": true \"b\": 2}", 2, "a comma is missing"},
        {"{\n\"a\": /* {\n */ 1\n\"b\": 2}", 3, "a comma is missing"},
        {"{\n\"name\": \"ann,\n\"token\": \"x\"}", 2, "no closing quote"},
        {"{\n\"name: 1,\n\"cores\": 2}", 2, "no closing quote"},
        {"{\n\"name\": \"a\\\"\n}", 2, "no closing quote"},
        {"{\n\"cores\" 2}", 2, "a colon is missing"},
        {"{\n\"a\": [1, 2,\n]}", 2, "a comma too many"},
        {"{\n\"a\": 1,\n}", 2, "a comma too many"},
        {"{\n\"a\": yes}", 2, "a word without quotes"},
        {"{\n\"a\": {\n\"b\": 1\n", 4, "expected a closing } for the { in line 2"},
        {"{\n\"a\": [\n", 3, "expected a closing ] for the [ in line 2"},
        {"{\n\"a\": ]}", 2, "unexpected ']'"},
        {"{\n\"a\": 1}}", 2, "unexpected '}'"},
        {"", 1, "unexpected end of input"},
    };
    for (const auto& [text, line, says] : cases) {
        const auto errors = errors_of(text);
        ASSERT_EQ(errors.size(), 1U) << text;
        EXPECT_EQ(errors[0].line, line) << text << "\n" << errors[0].message;
        EXPECT_THAT(errors[0].message, HasSubstr(says)) << text;
    }
}

// Whatever a good config loses or gets, something is told, and on no later line than the parser
// stopped at.
TEST(ConfigSyntaxTest, EachByteThatIsMissingIsToldOnALineThatIsThere) {
    const std::string good =
        "{\n  // ours\n  \"bots\": [\n    {\"name\": \"a\", \"token\": \"xy\\\"z\"},\n    "
        "{\"name\": "
        "\"b\"}\n  ],\n  /* two\n  lines */ \"tournaments\": [{\"id\": \"t\", \"game\": "
        "\"walls\"}]\n}\n";
    const auto lines = static_cast<std::size_t>(std::count(good.begin(), good.end(), '\n')) + 1;
    ASSERT_TRUE(errors_of(good).empty());
    std::size_t bad = 0;
    for (std::size_t i = 0; i < good.size(); ++i) {
        auto text = good;
        text.erase(i, 1);
        for (const auto& error : errors_of(text)) {
            ++bad;
            EXPECT_FALSE(error.message.empty()) << text;
            EXPECT_GE(error.line, 1U) << text;
            EXPECT_LE(error.line, lines) << text;
        }
    }
    EXPECT_GT(bad, 30U);
}

}  // namespace
}  // namespace referee::config
