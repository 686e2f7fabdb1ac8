// Random and damaged text against nlohmann's own reading of it: what we accept it accepts too, and
// with the same value.

#include <gtest/gtest.h>

#include <string>

#include "protocol/json/document.h"
#include "tests/json.h"
#include "tests/protocol/random_bytes.h"

namespace protocol::json {
namespace {

constexpr int texts_tried = 20'000;

void compare_with_nlohmann(Document& document, const std::string& text) {
    if (!document.parse(text)) return;
    std::string written;
    Writer writer(written);
    document.root().write(writer);
    const auto theirs = nlohmann::json::parse(text, nullptr, false);
    ASSERT_FALSE(theirs.is_discarded()) << text;
    EXPECT_EQ(nlohmann::json::parse(written), theirs) << text;
    Document again;
    EXPECT_TRUE(again.parse(written)) << written;
}

TEST(RandomText, is_read_as_by_nlohmann_or_refused) {
    testing::RandomBytes random(1);
    Document document;
    for (int i = 0; i < texts_tried; ++i) {
        compare_with_nlohmann(document, random.json_like(200));
        if (HasFatalFailure()) return;
    }
}

TEST(RandomText, damaged_by_one_byte_is_read_as_by_nlohmann_or_refused) {
    const std::string text =
        R"({"type":"move","game_id":"g1","turn":12,"move":[1,-2.5e3,{"a":null}],"debug":"é\n"})";
    testing::RandomBytes random(2);
    Document document;
    for (int i = 0; i < texts_tried; ++i) {
        compare_with_nlohmann(document, random.damaged(text));
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace protocol::json
