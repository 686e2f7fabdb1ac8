#include "protocol/framer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/protocol/random_bytes.h"

namespace protocol {
namespace {

constexpr std::size_t small_limit = 8;

struct Result {
    std::vector<std::string> lines;
    bool too_long = false;

    bool operator==(const Result&) const = default;
};

void take_lines(Framer& framer, Result& result) {
    while (true) {
        const auto found = framer.next();
        if (found.what == Framing::line) {
            result.lines.emplace_back(found.line);
            continue;
        }
        result.too_long = found.what == Framing::too_long;
        return;
    }
}

// The stream in pieces of the given size.
Result framed(std::string_view stream, std::size_t piece_bytes, std::size_t limit) {
    Framer framer(limit);
    Result result;
    while (!stream.empty() && !result.too_long) {
        auto piece = stream.substr(0, piece_bytes);
        stream.remove_prefix(piece.size());
        while (!piece.empty() && !result.too_long) {
            piece.remove_prefix(framer.push(piece));
            take_lines(framer, result);
        }
    }
    return result;
}

TEST(Framer, never_holds_more_than_the_limit_and_a_line_end) {
    constexpr std::size_t limit = 64 * 1024;
    Framer framer(limit);
    std::size_t taken = 0;
    while (framer.next().what == Framing::more) {
        const auto room = framer.prepare();
        ASSERT_FALSE(room.empty());
        std::fill(room.begin(), room.end(), 'x');
        framer.commit(room.size());
        taken += room.size();
        ASSERT_LE(framer.capacity(), limit + 2);
        ASSERT_LE(taken, limit + 2);
    }
    EXPECT_GT(taken, limit);
    EXPECT_EQ(framer.next().what, Framing::too_long);
    EXPECT_TRUE(framer.prepare().empty());
    EXPECT_EQ(framer.push("abc\n"), 0U);
    EXPECT_EQ(framer.next().what, Framing::too_long);
    EXPECT_EQ(framer.capacity(), 0U);
}

TEST(Framer, gives_memory_back_after_a_long_line) {
    Framer framer(64 * 1024);
    EXPECT_EQ(framer.capacity(), 0U);
    std::string_view rest;
    const auto stream = std::string(60'000, 'x') + "\n";
    for (rest = stream; !rest.empty();) {
        rest.remove_prefix(framer.push(rest));
        framer.next();
    }
    EXPECT_GT(framer.capacity(), 60'000U);
    framer.push("short\n");
    EXPECT_LE(framer.capacity(), framer_bytes_kept_max);
}

TEST(Framer, gives_all_memory_back_between_lines) {
    Framer framer(small_limit);
    framer.push("abc\nde");
    framer.next();
    framer.next();
    framer.release();
    EXPECT_GT(framer.capacity(), 0U) << "a line has begun";
    framer.push("f\n");
    EXPECT_EQ(framer.next().line, "def");
    framer.next();
    framer.release();
    EXPECT_EQ(framer.capacity(), 0U);
    framer.push("g\n");
    EXPECT_EQ(framer.next().line, "g");
}

TEST(Framer, knows_of_half_a_line) {
    Framer framer(small_limit);
    framer.push("abc\nde");
    EXPECT_EQ(framer.next().line, "abc");
    EXPECT_EQ(framer.next().what, Framing::more);
    EXPECT_EQ(framer.pending(), 2U);
}

// What the framer should do, said in another way: cut at LF, drop one CR, pass over empty lines.
Result model(std::string_view stream, std::size_t limit) {
    Result result;
    while (true) {
        const auto line_end = stream.find('\n');
        auto line = stream.substr(0, line_end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.size() > limit) {
            result.too_long = true;
            return result;
        }
        if (line_end == std::string_view::npos) return result;
        if (!line.empty()) result.lines.emplace_back(line);
        stream.remove_prefix(line_end + 1);
    }
}

TEST(Framer, does_as_its_model_on_random_streams) {
    constexpr int streams_tried = 3000;
    constexpr std::string_view alphabet = "ab\r\n";
    testing::RandomBytes random(3);
    for (int i = 0; i < streams_tried; ++i) {
        std::string stream(random.below(60), ' ');
        for (auto& c : stream) c = alphabet[random.below(alphabet.size())];
        const auto limit = 1 + random.below(12);
        const auto found = framed(stream, 1 + random.below(20), limit);
        const auto expected = model(stream, limit);
        ASSERT_EQ(found.lines, expected.lines) << ::testing::PrintToString(stream) << limit;
        ASSERT_EQ(found.too_long, expected.too_long) << ::testing::PrintToString(stream) << limit;
    }
}

}  // namespace
}  // namespace protocol
