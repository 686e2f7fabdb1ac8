#include "referee/connect/relay/lines.h"

#include <gtest/gtest.h>

namespace referee::relay {
namespace {

using Lines = std::vector<std::string>;

// All lines of a text that comes in pieces of that size, and how many were too long.
std::pair<Lines, std::size_t> cut_in_pieces(std::string_view text, std::size_t piece_bytes,
                                            std::size_t line_bytes_max) {
    LineCutter cutter(line_bytes_max);
    std::pair<Lines, std::size_t> found;
    for (; !text.empty(); text.remove_prefix(std::min(piece_bytes, text.size()))) {
        const auto cut = cutter.push(text.substr(0, piece_bytes));
        found.first.insert(found.first.end(), cut.lines.begin(), cut.lines.end());
        found.second += cut.too_long;
    }
    return found;
}

TEST(LineCutter, CutsTheSameLinesHoweverTheyCome) {
    const std::string text =
        "one\r\n\ntwo three\n12345678\n123456789\n" + std::string(40, 'x') + "\nlast\nhalf";
    constexpr std::size_t line_bytes_max = 9;
    const Lines expected = {"one", "two three", "12345678", "123456789", "last"};
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        const auto [lines, too_long] = cut_in_pieces(text, piece, line_bytes_max);
        EXPECT_EQ(lines, expected) << piece;
        EXPECT_EQ(too_long, 1U) << piece;
    }
}

TEST(LineCutter, KeepsNothingOfALineThatIsTooLong) {
    constexpr std::size_t line_bytes_max = 8;
    LineCutter cutter(line_bytes_max);
    EXPECT_EQ(cutter.push(std::string(100, 'x')).too_long, 1U);
    EXPECT_EQ(cutter.push(std::string(100, 'x')).too_long, 0U) << "the same line";
    EXPECT_EQ(cutter.rest(), "");
    EXPECT_EQ(cutter.push("x\nab").too_long, 0U);
    EXPECT_EQ(cutter.rest(), "ab");
}

}  // namespace
}  // namespace referee::relay
