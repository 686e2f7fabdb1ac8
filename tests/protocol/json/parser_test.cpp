#include <gtest/gtest.h>

#include <random>
#include <string>

#include "protocol/json/document.h"
#include "protocol/json/quick_parser.h"

namespace protocol::json {
namespace {

constexpr std::size_t depth_max = 4;

// With line numbers a text is always read by nlohmann's parser.
std::string read_by_the_other(const std::string& text) {
    Document document;
    if (!document.parse(text, {.depth_max = depth_max, .lines = true})) return "refused";
    return document.root().json_text();
}

TEST(QuickParser, ReadsWhatBotsUsuallyWrite) {
    const std::string lines[] = {
        R"({"type":"move","game_id":"friday/12.1","turn":317,"move":"F"})",
        R"({"type": "move", "game_id": "g1", "turn": 0, "move": [3, -4], "debug": "eval=12; depth=9"})",
        R"({"type":"ready","game_id":"g1"})",
        R"( {"a" : [ ] , "b" : { } , "c" : [ true , false , null ] } )",
        R"(-999999999999999999)",
        R"("")",
    };
    for (const auto& line : lines) {
        Document document;
        EXPECT_TRUE(QuickParser(document, line, depth_max).parse()) << line;
        EXPECT_EQ(document.root().json_text(), read_by_the_other(line)) << line;
    }
}

// Random texts of the pieces that JSON has: each that it reads is read the same by the other.
TEST(QuickParser, NeverDisagreesWithTheOther) {
    const std::string pieces[] = {"{", "}",  "[",  "]",   ",",  ":",  "\"a\"", "\"b\"",   "\"\"",
                                  "1", "-1", "0",  "-",   ".5", "e1", "true",  "false",   "null",
                                  " ", "\t", "\n", "\\n", "\"", "x",  "00",    "{\"a\":", "],["};
    std::mt19937 random(2026);
    std::uniform_int_distribution<std::size_t> piece(0, std::size(pieces) - 1);
    std::uniform_int_distribution<int> length(1, 9);
    int read = 0;
    Document document;
    for (int i = 0; i < 300'000; ++i) {
        std::string text;
        for (int left = length(random); left > 0; --left) text += pieces[piece(random)];
        if (!QuickParser(document, text, depth_max).parse()) continue;
        ++read;
        ASSERT_EQ(document.root().json_text(), read_by_the_other(text)) << text;
    }
    EXPECT_GT(read, 10'000);
}

}  // namespace
}  // namespace protocol::json
