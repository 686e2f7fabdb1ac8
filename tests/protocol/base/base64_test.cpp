#include "protocol/base/base64.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace base {
namespace {

TEST(Base64, HasTheExamplesOfItsStandard) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> examples = {{
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    }};
    for (const auto& [bytes, text] : examples) {
        EXPECT_EQ(base64_of(bytes), text);
        EXPECT_EQ(from_base64(text), bytes);
    }
}

TEST(Base64, TakesAnyBytesThereAndBack) {
    std::string bytes;
    constexpr int kinds_of_bytes = 256;
    for (int length = 0; length < 2 * kinds_of_bytes; ++length) {
        EXPECT_EQ(from_base64(base64_of(bytes)), bytes) << length;
        bytes += static_cast<char>((length * 7) % kinds_of_bytes);
    }
}

TEST(Base64, TakesNothingElse) {
    for (const auto* text : {"Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9v\n", " Zm9",
                             "Zm9v    ", "Zm-v", "Zm_v", "Z=m9", "Zm9v=", "\xc3\xa4==", "Zg=A"}) {
        EXPECT_EQ(from_base64(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace base
