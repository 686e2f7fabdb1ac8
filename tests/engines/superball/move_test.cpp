#include "engines/superball/position.h"

#include <gtest/gtest.h>

namespace {

using namespace engines::superball;

// The move in its plain form, "blank", or "bad".
std::string read(std::string_view text) {
    const auto parsed = parse_move(text);
    if (const auto* swap = std::get_if<Swap>(&parsed)) return to_text(*swap);
    if (const auto* collect = std::get_if<Collect>(&parsed)) return to_text(*collect);
    if (std::holds_alternative<BlankMove>(parsed)) return "blank";
    const auto& message = std::get<BadMove>(parsed).message;
    EXPECT_NE(
        message.find("SWAP") == std::string::npos && message.find("SCORE") == std::string::npos,
        true);
    return "bad";
}

TEST(superball_move, what_a_line_means) {
    using namespace std::string_view_literals;
    struct Case {
        std::string_view text;
        const char* meaning;
    };
    const Case cases[] = {
        {"SWAP 0 1 7 2", "SWAP 0 1 7 2"},
        {"SCORE 5 0", "SCORE 5 0"},
        {"  SWAP\t0\n1\v7\f2\r\n", "SWAP 0 1 7 2"},
        {"SCORE   5   0   ", "SCORE 5 0"},
        // what %d reads at the start of a word
        {"SCORE 03 +3", "SCORE 3 3"},
        {"SCORE 3, 3)", "SCORE 3 3"},
        {"SCORE 3x 4.9", "SCORE 3 4"},
        {"SCORE 0x10 010", "SCORE 0 10"},
        {"SCORE -0 1e2", "SCORE 0 1"},
        {"SCORE -5 0", "SCORE -5 0"},
        {"SCORE 3\0 4"sv, "SCORE 3 4"},
        {"SCORE 2147483647 -2147483648", "SCORE 2147483647 -2147483648"},
        {"SWAP 0,1 2,3 4,5 6,7", "SWAP 0 2 4 6"},
        // no number, or none that an int holds
        {"SCORE 2147483648 0", "bad"},
        {"SCORE 0 -2147483649", "bad"},
        {"SCORE 4294967296 0", "bad"},
        {"SCORE 99999999999999999999999999 0", "bad"},
        {"SCORE a 0", "bad"},
        {"SCORE ,3 0", "bad"},
        {"SCORE (3 0", "bad"},
        {"SCORE - 0", "bad"},
        {"SCORE + 0", "bad"},
        {"SCORE +-3 0", "bad"},
        {"SCORE -+3 0", "bad"},
        {"SCORE ++3 0", "bad"},
        {"SCORE \xC2\xA0 3", "bad"},
        // exactly 5 words or 3
        {"SWAP", "bad"},
        {"SWAP 0 1 7", "bad"},
        {"SWAP 0 1 7 2 9", "bad"},
        {"SWAP 0 1 7 2 # comment", "bad"},
        {"SCORE 5", "bad"},
        {"SCORE 5 0 1", "bad"},
        {"SCORE 5 0 ;", "bad"},
        {"SCORE", "bad"},
        {"SCORE 5,0", "bad"},
        // the first word
        {"swap 0 1 7 2", "bad"},
        {"Score 5 0", "bad"},
        {"SWAP, 0 1 7 2", "bad"},
        {"SWAPS 0 1 7 2", "bad"},
        {"MOVE 0 1 7 2", "bad"},
        {"0 1 7 2", "bad"},
        {"\"SCORE\" 5 0", "bad"},
        {"SCORE\0 5 0"sv, "bad"},
        // nothing
        {"", "blank"},
        {" ", "blank"},
        {"\n", "blank"},
        {" \t\r\n\v\f ", "blank"},
        {"\0"sv, "bad"},
    };
    for (const auto& c : cases) EXPECT_EQ(read(c.text), c.meaning) << "'" << c.text << "'";
}

TEST(superball_move, messages_repeat_what_was_written_but_not_all_of_it) {
    const auto message = [](const std::string& text) {
        return std::get<BadMove>(parse_move(text)).message;
    };
    EXPECT_EQ(message("swap 0 1 7 2"),
              "a move begins with SWAP or SCORE, in capitals, not with 'swap'");
    EXPECT_EQ(message("SCORE 5 x"),
              "'x' does not begin with the number of a row or column; expected 'SCORE r c', such "
              "as 'SCORE 5 0'");
    EXPECT_EQ(message("SWAP 1 2"),
              "SWAP takes 4 numbers, and 2 words follow it; expected 'SWAP r1 c1 r2 c2', such as "
              "'SWAP 0 1 7 2'");
    EXPECT_LT(message(std::string(60000, 'x')).size(), 200U);
    EXPECT_EQ(message("\xC3\xA9\x01"),
              "a move begins with SWAP or SCORE, in capitals, not with '...'");
}

}  // namespace
