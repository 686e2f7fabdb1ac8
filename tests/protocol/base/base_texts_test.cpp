#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <tuple>
#include <utility>

#include "protocol/base/bytes.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"

namespace base {

namespace {

enum class Size { small, large };

constexpr std::array<Named<Size>, 2> sizes{{{Size::small, "small"}, {Size::large, "large"}}};
static_assert(!in_order(std::array<Named<Size>, 2>{{{Size::large, "large"}, {Size::small, "s"}}}));

TEST(NamesDeathTest, a_value_without_a_row_is_our_mistake) {
    EXPECT_DEATH(std::ignore = row_of(sizes, static_cast<Size>(2)), "broken promise");
}

TEST(Near, TheNameThatASlipLeadsFrom) {
    const std::vector<std::string> known{"ann", "alice", "bob", "team-14", "alicia"};
    for (const auto& [typed, meant] :
         {std::pair("alcie", "alice"), std::pair("alic", "alice"), std::pair("allice", "alice"),
          std::pair("anm", "ann"), std::pair("team_41", "team-14"), std::pair("bobb", "bob"),
          std::pair("zed", ""), std::pair("a", ""), std::pair("xy", ""), std::pair("charlie", "")})
        EXPECT_EQ(nearest(typed, known), meant) << typed;
    EXPECT_EQ(nearest("ann", {}), "");
    EXPECT_EQ(did_you_mean("ann"), "; did you mean \"ann\"?");
    EXPECT_EQ(did_you_mean(""), "");
}

TEST(LastLine, HasMoreInItThanBlanks) {
    EXPECT_EQ(last_line("a\nb: 1 "), "b: 1");
    EXPECT_EQ(last_line("a\n  b\r\n\n \t\n"), "  b");
    EXPECT_EQ(last_line("alone"), "alone");
    EXPECT_EQ(last_line(" \n\n"), "");
    EXPECT_EQ(last_line(""), "");
}

TEST(Split, HasOnePartMoreThanThereAreSeparators) {
    using Parts = std::vector<std::string_view>;
    EXPECT_EQ(split("a,b", ','), (Parts{"a", "b"}));
    EXPECT_EQ(split(",a,,b,", ','), (Parts{"", "a", "", "b", ""}));
    EXPECT_EQ(split("alone", ','), Parts{"alone"});
    EXPECT_EQ(split("", ','), Parts{""});
}

TEST(ShellWord, IsTheTextWhereAShellLeavesItAlone) {
    EXPECT_EQ(shell_word("ann"), "ann");
    EXPECT_EQ(shell_word("../bots/ann-2.py"), "../bots/ann-2.py");
}

TEST(ShellWord, IsQuotedWhereAShellWouldReadMoreIntoIt) {
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("Dora the fourth"), "'Dora the fourth'");
    EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word("Zo\xc3\xab"), "'Zo\xc3\xab'");
}

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

TEST(Counted, SaysOneOrSeveral) {
    EXPECT_EQ(counted(0, "game"), "0 games");
    EXPECT_EQ(counted(1U, "game"), "1 game");
    EXPECT_EQ(counted(std::size_t{2}, "match", "matches"), "2 matches");
    EXPECT_EQ(counted(std::int64_t{1}, "match", "matches"), "1 match");
}

TEST(Joined, TextsWithSomethingBetween) {
    const std::vector<std::string> three{"a", "b", "c"};
    EXPECT_EQ(joined(three), "a, b, c");
    EXPECT_EQ(joined(three, " or "), "a or b or c");
    EXPECT_EQ(joined(std::array{1, 2}, "+", [](int n) { return std::to_string(n); }), "1+2");
    EXPECT_EQ(joined(std::vector<std::string>{}), "");
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed(three), "a, b and c");
    EXPECT_EQ(whole_number("12"), 12U);
    for (const auto* text : {"", " 1", "1 ", "-1", "+1", "1.5", "18446744073709551616"})
        EXPECT_EQ(whole_number(text), std::nullopt) << text;
    EXPECT_EQ(whole_number<std::uint8_t>("256"), std::nullopt);
    for (const auto& [seconds, text] :
         {std::pair(0, "0 s"), std::pair(59, "59 s"), std::pair(1200, "20 min"),
          std::pair(3601, "1 h 1 s"), std::pair(86'399, "23 h 59 min"),
          std::pair(3 * 86'400 + 4 * 3600 + 61, "3 d 4 h")})
        EXPECT_EQ(span_text(seconds), text);
    for (const auto& [thousandths, text] :
         {std::pair(712'500, "712.5"), std::pair(120, "0.12"), std::pair(-3000, "-3"),
          std::pair(-1, "-0.001"), std::pair(100'000, "100"), std::pair(0, "0")})
        EXPECT_EQ(thousandths_text(thousandths), text);
    EXPECT_EQ(names_in(three), "a, b and c");
    EXPECT_EQ(names_in(std::vector<std::string>(9, "a")), "a, a, a, a, a, a, a, a and 1 more");
    EXPECT_EQ(first_of(three, 3), "a, b, c");
    EXPECT_EQ(first_of(three, 1), "a and 2 more");
    EXPECT_EQ(first_of(std::vector{7, 8}, 1, [](int n) { return std::to_string(n); }),
              "7 and 1 more");
    EXPECT_EQ(quoted("ann"), "\"ann\"");
}

TEST(Compression, is_undone_for_the_whole_text_and_its_length_only) {
    const auto text = "{\"move\":\"F\"}\n" + std::string(5000, 'F');
    const auto packed = compress(text);
    EXPECT_LT(packed.size(), 100U);
    EXPECT_EQ(decompress(packed, text.size()), text);
    EXPECT_EQ(decompress(compress(""), 0), "");
    for (const auto size : {text.size() - 1, text.size() + 1, std::size_t{1} << 40})
        EXPECT_EQ(decompress(packed, size), std::nullopt) << size;
    EXPECT_EQ(decompress(packed + 'x', text.size()), std::nullopt);
    EXPECT_EQ(decompress(packed.substr(0, packed.size() - 1), text.size()), std::nullopt);
    auto damaged = packed;
    damaged.back() ^= 1;
    EXPECT_EQ(decompress(damaged, text.size()), std::nullopt);
    EXPECT_EQ(decompress(gzip(text), text.size()), std::nullopt) << "another format";
}

TEST(Milliseconds, have_three_digits_behind_the_point) {
    struct Case {
        std::int64_t us;
        const char* text;
    };
    for (const auto& [us, text] :
         {Case{0, "0.000 ms"}, Case{7, "0.007 ms"}, Case{1'012'345, "1012.345 ms"},
          Case{-105, "-0.105 ms"}, Case{-2'000, "-2.000 ms"},
          Case{std::numeric_limits<std::int64_t>::max(), "9223372036854775.807 ms"},
          Case{std::numeric_limits<std::int64_t>::min(), "-9223372036854775.808 ms"}}) {
        EXPECT_EQ(milliseconds(us), text);
    }
    EXPECT_EQ(milliseconds(std::numeric_limits<std::uint64_t>::max()), "18446744073709551.615 ms");
}

}  // namespace

}  // namespace base
