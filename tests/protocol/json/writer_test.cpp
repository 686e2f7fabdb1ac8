#include "protocol/json/writer.h"
#include "tests/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace protocol::json {
namespace {

TEST(Writer, puts_commas_where_they_belong) {
    std::string out = "> ";
    Writer writer(out);
    writer.begin_object().member("a", 1).key("b").begin_array();
    writer.integer(1).begin_array().end_array().begin_object().end_object().null();
    writer.end_array().member("c", "x").key("d").raw("[9]").key("e").begin_object().end_object();
    writer.member("f", true).end_object();
    EXPECT_EQ(out, R"(> {"a":1,"b":[1,[],{},null],"c":"x","d":[9],"e":{},"f":true})");
}

TEST(Writer, writes_numbers_as_short_as_they_read_back) {
    const struct {
        double value;
        std::string_view text;
    } cases[] = {
        {0.0, "0"},
        {-0.5, "-0.5"},
        {5.0, "5"},
        {0.1, "0.1"},
        {1e15, "1000000000000000"},
        {1e21, "1e+21"},
        {-3.0, "-3"},
        {1.0 / 3.0, "0.3333333333333333"},
        {5e-324, "5e-324"},
    };
    for (const auto& [value, text] : cases) {
        std::string out;
        Writer(out).real(value);
        EXPECT_EQ(out, text);
        EXPECT_EQ(nlohmann::json::parse(out).get<double>(), value);
    }
}

TEST(Writer, writes_members_as_keys_and_values) {
    const auto expect = [](const auto& value, const std::string& text) {
        std::string out;
        Writer(out).begin_object().member("a", value).member("b", value).end_object();
        EXPECT_EQ(out, R"({"a":)" + text + R"(,"b":)" + text + '}');
    };
    expect(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
    expect(std::numeric_limits<std::uint64_t>::max(), "18446744073709551615");
    expect(-0.5, "-0.5");
    expect("a\nb", R"("a\nb")");
    for (const std::size_t bytes : {0U, 63U, 64U, 65U, 1000U}) {
        const std::string text(bytes, 'x');
        expect(text, '"' + text + '"');
    }
}

TEST(Writer, writes_texts_as_an_array) {
    std::string out;
    Writer(out)
        .begin_object()
        .key("none")
        .texts(std::vector<std::string>{})
        .key("some")
        .texts(std::vector<std::string>{"a", "b\""})
        .key("made")
        .texts(std::vector{1, 2}, [](int n) { return std::to_string(n); })
        .end_object();
    EXPECT_EQ(out, R"({"none":[],"some":["a","b\""],"made":["1","2"]})");
}

TEST(Writer, finds_what_must_be_escaped_wherever_it_stands) {
    for (int code = 0; code < 0x80; ++code) {
        const auto character = static_cast<char>(code);
        for (std::size_t at = 0; at <= 80; ++at) {
            std::string text(80, 'x');
            text.resize(at);
            text.insert(at / 2, 1, character);
            std::string out;
            Writer(out).begin_object().key(text).string(text).end_object();
            const auto read = nlohmann::json::parse(out);
            EXPECT_EQ(read.at(text).get<std::string>(), text) << out;
            EXPECT_EQ(out.find_first_of("\r\n"), std::string::npos);
        }
    }
}

TEST(Writer, refuses_numbers_that_json_has_not) {
    std::string out;
    EXPECT_DEATH(Writer(out).real(std::numeric_limits<double>::infinity()), "broken promise");
    EXPECT_DEATH(Writer(out).real(std::nan("")), "broken promise");
}

}  // namespace
}  // namespace protocol::json
