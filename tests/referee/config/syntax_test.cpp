#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

using testing::HasSubstr;
using testing::Not;

// Configs that are no JSON: told on the line that a person has to mend.

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

// Whatever is wrong with a config, no secret of it is told: not a token at the wrong place, of the
// wrong kind, under a mistyped name or in a text that is no JSON.

TEST(ConfigSecretsTest, NoMistakeTellsOne) {
    const std::string secret = "plum4242";
    const std::string digits = "424242";
    const std::string tournaments = R"("tournaments": [{"id": "t", "game": "walls"}])";
    const auto bot = [&](const std::string& members) {
        return R"({"bots": [{"name": "a"}, {"name": "b", )" + members + "}], " + tournaments + "}";
    };
    const auto root = [&](const std::string& member) {
        return R"({"bots": [{"name": "a"}, {"name": "b"}], )" + member + ", " + tournaments + "}";
    };
    const auto text = '"' + secret + '"';
    std::vector<std::string> configs{
        root(R"("registration": )" + text),
        root(R"("registration": {"pasword": )" + text + "}"),
        root(R"("registration": {"password": [)" + text + "]}"),
        root(R"("registration": {"password": 424242})"),
        root(R"("registration": {"password": 4242424242424242424242})"),
        root(R"("registration": {"password": -424242e999})"),
        root(R"("registration": {"password": "p", "approval": )" + text + "}"),
        root(R"("registration": {"password": "p", "total": )" + text + "}"),
        root(R"("control": )" + text),
        root(R"("control": [)" + text + "]"),
        root(R"("control": {"port": 1, "tokn": )" + text + "}"),
        root(R"("control": {"port": 1, "token": 424242})"),
        root(R"("control": {"port": 1, "token": {"is": )" + text + "}}"),
        root(R"("control": {"port": )" + text + "}"),
        root(R"("control": {"tls": )" + text + "}"),
        root(R"("token": )" + text),
        root(R"("Bots": [{"token": )" + text + "}]"),
        R"({"bots": )" + text + ", " + tournaments + "}",
        R"({"bots": {"a": )" + text + "}, " + tournaments + "}",
        R"({"bots": [)" + text + "], " + tournaments + "}",
    };
    for (const auto* const name : {"token", "tokn", "name", "rating", "launch", "environment",
                                   "memory_mb", "freeze_between_turns", "reads"}) {
        for (const auto& value :
             {text, "[" + text + ", 5]", R"({"is": )" + text + "}", std::string("424242"),
              '"' + secret, secret, "424242" + secret, text + text, text + "\n\"x\": 1",
              '"' + secret + "\n\"", "tru" + secret, text + "]", text + "}}",
              std::string("4242424242424242424242"), '"' + secret + "\x01\"",
              '"' + secret + "\xff\""}) {
            if (std::string(name) == "name" && value == text) continue;  // a good name
            // A number where a number is expected is told: it is no token.
            if (std::string(name) == "rating" && value == digits) continue;
            configs.push_back(bot('"' + std::string(name) + R"(": )" + value));
        }
    }
    configs.push_back(bot(R"("launch": ["x"], "environment": {"KEY": 424242})"));
    configs.push_back(bot(R"("launch": ["x"], "environment": {"KEY": [)" + text + "]}"));
    for (const auto& config : configs) {
        const auto errors = errors_of(config);
        EXPECT_TRUE(!errors.empty() || config.find("\"token\": " + text) != std::string::npos)
            << config;
        for (const auto& error : errors) {
            const auto told = describe(error, "class.json");
            EXPECT_THAT(told, Not(HasSubstr(secret))) << config;
            EXPECT_THAT(told, Not(HasSubstr(digits))) << config;
        }
    }
}

}  // namespace
}  // namespace referee::config
