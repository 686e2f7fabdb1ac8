#include "referee/contest/trf/columns.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::trf {
namespace {

TEST(TrfColumns, CountCharactersNotBytes) {
    const std::string text = "001 \xC3\x89tienne x";
    const TrfColumns line(text, 1);
    EXPECT_EQ(line.size(), 13);
    EXPECT_EQ(line.cut(5, 11), "\xC3\x89tienne");
    EXPECT_EQ(line.at(13), 'x');
    EXPECT_EQ(line.at(14), ' ');
    EXPECT_EQ(line.cut(12, 40), " x");
    EXPECT_EQ(line.cut(14, 40), "");
}

TEST(TrfColumns, TakeBytesThatAreNoCharactersOneByOne) {
    const TrfColumns line("a\xE9z", 1);
    EXPECT_EQ(line.size(), 3);
    EXPECT_EQ(line.at(3), 'z');
}

TEST(Lines, EndInAnyWay) {
    const auto lines = lines_of("a\nb\r\nc\rd\r\n\r\ne");
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[2].text(), "c");
    EXPECT_EQ(lines[4].text(), "");
    EXPECT_EQ(lines[5].text(), "e");
    EXPECT_EQ(lines[5].line(), 6);
}

TEST(Tenths, ReadWhatFilesWrite) {
    struct Case {
        const char* text;
        std::optional<int> tenths;
    };
    const Case cases[] = {{" 1.5", 15},          {"0.0", 0},
                          {"12", 120},           {"-0.5", -5},
                          {"1,5", 15},           {".5", 5},
                          {"1.50", 15},          {"1.25", std::nullopt},
                          {"", std::nullopt},    {"x", std::nullopt},
                          {"1.x", std::nullopt}, {"--1", std::nullopt},
                          {".", std::nullopt},   {"99999999", std::nullopt}};
    for (const Case& example : cases)
        EXPECT_EQ(tenths(example.text), example.tenths) << example.text;
}

TEST(Tenths, AreWrittenWithOneDecimal) {
    EXPECT_EQ(tenths_text(125), "12.5");
    EXPECT_EQ(tenths_text(-5), "-0.5");
    EXPECT_EQ(tenths_text(0), "0.0");
}

TEST(WholeNumber, HasDigitsOnly) {
    EXPECT_EQ(whole_number("  42 "), 42);
    EXPECT_EQ(whole_number("0007"), 7);
    for (const char* text : {"", " ", "-1", "4 2", "4x", "99999999999"})
        EXPECT_EQ(whole_number(text), std::nullopt) << text;
}

TEST(Words, KnowTheirColumns) {
    const auto words = words_from(TrfColumns("XXP 12  7", 1), 4);
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(words[1].text, "7");
    EXPECT_EQ(words[1].column, 9);
}

}  // namespace
}  // namespace referee::trf
