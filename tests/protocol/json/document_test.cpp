#include "protocol/json/document.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <limits>

#include "protocol/json/quick_parser.h"

namespace protocol::json {
namespace {

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

// What is as bots usually write it isn't left to the slower reader.
TEST(QuickParser, reads_what_bots_usually_write) {
    const std::string lines[] = {
        R"({"type":"move","game_id":"friday/12.1","turn":317,"move":"F"})",
        R"({"type": "move", "game_id": "g1", "turn": 0, "move": [3, -4], "debug": "eval=12; depth=9"})",
        R"({"type":"ready","game_id":"g1"})",
        R"( {"a" : [ ] , "b" : { } , "c" : [ true , false , null ] } )",
        R"(-999999999999999999)",
        R"("")",
    };
    Document document;
    for (const auto& line : lines) EXPECT_TRUE(QuickParser(document, line, 4).parse()) << line;
}

TEST(Document, finds_a_duplicate_among_many_members) {
    std::string text = "{";
    for (int i = 0; i < 1000; ++i) text += "\"m" + std::to_string(i) + "\":0,";
    Document document;
    EXPECT_TRUE(document.parse(text + "\"last\":0}"));
    const auto parsed = document.parse(text + "\"m17\":0}");
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().fault, ParseFault::duplicate_member);
    EXPECT_NE(parsed.error().message.find("m17"), std::string::npos);
    const auto odd = document.parse("{\"\\u001b\u202E\":0,\"\\u001b\u202E\":0}");
    ASSERT_FALSE(odd);
    EXPECT_NE(odd.error().message.find("the member \"\\x1b\\u202e\" twice"), std::string::npos)
        << "no terminal obeys it: " << odd.error().message;
}

TEST(Document, takes_the_depth_that_is_allowed) {
    Document document;
    EXPECT_TRUE(document.parse(nested(64)));
    EXPECT_TRUE(document.parse(nested(80), {.depth_max = 80}));
    EXPECT_FALSE(document.parse(nested(3), {.depth_max = 2}));
    for (const auto& text : {nested(65), nested(100'000), std::string(100'000, '[')})
        EXPECT_EQ(document.parse(text).error().fault, ParseFault::too_deep);
}

TEST(Document, tells_the_line_of_an_error) {
    const struct {
        std::string_view text;
        std::size_t line;
    } cases[] = {
        {"{\"a\":1,\n\"a\":2\n}", 3},  // known when the object ends
        {"{\n\n\"a\": nul}", 3},
        {"[1,\n2,\n1e400]", 3},
        {"[1,\n18446744073709551616,\n2]", 2},
    };
    Document document;
    for (const auto& [text, line] : cases) {
        const auto parsed = document.parse(text, {.lines = true});
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().line, line) << text << ": " << parsed.error().message;
    }
}

TEST(Document, tells_the_line_of_a_value) {
    Document document;
    ASSERT_TRUE(document.parse("// a config\n{\n\"a\": 1,\n\"b\": [\n2,\n3]\n}",
                               {.comments = true, .lines = true}));
    const auto root = document.root();
    EXPECT_EQ(root.find("a").line(), 3U);
    EXPECT_EQ(root.find("b").at(0).line(), 5U);
    EXPECT_EQ(root.find("b").at(1).line(), 6U);
}

TEST(Document, quotes_hostile_text_as_valid_utf8) {
    Document document;
    const auto parsed = document.parse("{\"" + std::string(5000, 'x') + "\xC3\xA9\" \xFF}");
    ASSERT_FALSE(parsed);
    std::string line;
    Writer(line).string(parsed.error().message);
    EXPECT_TRUE(document.parse(line)) << parsed.error().message;
    EXPECT_LE(parsed.error().message.size(), 300U);
}

TEST(View, gives_numbers_in_the_forms_that_fit) {
    const struct {
        std::string_view text;
        std::optional<std::int64_t> integer;
        std::optional<std::uint64_t> unsigned_integer;
        std::optional<double> number;
    } cases[] = {
        {"5", 5, 5, 5.0},
        {"-5", -5, std::nullopt, -5.0},
        {"5.0", std::nullopt, std::nullopt, 5.0},
        {"5e0", std::nullopt, std::nullopt, 5.0},
        {"18446744073709551615", std::nullopt, std::numeric_limits<std::uint64_t>::max(),
         18446744073709551615.0},
        {"\"5\"", std::nullopt, std::nullopt, std::nullopt},
        {"true", std::nullopt, std::nullopt, std::nullopt},
        {"null", std::nullopt, std::nullopt, std::nullopt},
    };
    Document document;
    for (const auto& [text, integer, unsigned_integer, number] : cases) {
        ASSERT_TRUE(document.parse(text));
        EXPECT_EQ(document.root().integer(), integer) << text;
        EXPECT_EQ(document.root().unsigned_integer(), unsigned_integer) << text;
        EXPECT_EQ(document.root().number(), number) << text;
    }
}

TEST(View, walks_arrays_and_objects) {
    Document document;
    ASSERT_TRUE(document.parse(R"({"a":[10,[],{"x":1},40],"b":{},"c":"text"})"));
    const auto root = document.root();
    EXPECT_EQ(root.size(), 3U);
    const auto list = root.find("a");
    EXPECT_EQ(list.size(), 4U);
    EXPECT_EQ(list.at(3).integer(), 40);
    EXPECT_FALSE(list.at(4));
    EXPECT_FALSE(root.at(0));
    EXPECT_FALSE(root.find("d"));
    EXPECT_FALSE(list.find("a"));
    std::string written;
    Writer writer(written);
    writer.begin_object();
    for (const auto& member : root.members()) member.write(writer);
    writer.end_object();
    EXPECT_EQ(written, root.json_text());
    std::size_t seen = 0;
    for (const auto element : list.elements()) seen += element ? 1 : 0;
    EXPECT_EQ(seen, 4U);
    for (const auto element : root.find("c").elements()) ADD_FAILURE() << element.json_text();
}

TEST(Document, gives_its_memory_back) {
    const auto heap = [] {
        const auto now = ::mallinfo2();
        return now.uordblks + now.hblkhd;
    };
    const auto text = "[\"" + std::string(20'000, 'x') + "\\n\"" + std::string(20'000, ' ') + "]";
    const auto before = heap();
    Document document;
    ASSERT_TRUE(document.parse(text));
    const auto parsed = heap();
    document.trim(0);
    EXPECT_LE(heap(), before) << "of " << parsed;
}

TEST(Document, forgets_and_starts_again) {
    Document document;
    ASSERT_TRUE(
        document.parse("[" + std::string(20'000, ' ') + "\"" + std::string(20'000, 'x') + "\"]"));
    document.trim(1000);
    EXPECT_FALSE(document.root());
    ASSERT_TRUE(document.parse("[1]"));
    document.trim(100'000);
    EXPECT_TRUE(document.root());
}

}  // namespace
}  // namespace protocol::json
