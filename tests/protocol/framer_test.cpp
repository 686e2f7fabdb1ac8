#include "protocol/framer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/protocol/random_bytes.h"

namespace protocol {
namespace {

constexpr std::size_t small_limit = 8;

// Lines, and "..." for each that is too long; behind them what has begun.
using Lines = std::vector<std::string>;

// The stream in pieces of the given size.
Lines framed(std::string_view stream, std::size_t piece_bytes, std::size_t limit, Beyond beyond) {
    Framer framer(limit, beyond);
    Lines lines;
    while (!stream.empty()) {
        const auto taken = framer.push(stream.substr(0, piece_bytes));
        stream.remove_prefix(taken);
        for (auto found = framer.next(); found.what != Framing::more; found = framer.next()) {
            lines.emplace_back(found.what == Framing::line ? found.line : "...");
            if (found.what == Framing::too_long && beyond == Beyond::ends_it) return lines;
        }
    }
    lines.emplace_back(framer.begun());
    return lines;
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
Lines model(std::string_view stream, std::size_t limit, Beyond beyond) {
    Lines lines;
    while (true) {
        const auto line_end = stream.find('\n');
        const bool ends = line_end != std::string_view::npos;
        auto line = stream.substr(0, line_end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const bool too_long = line.size() > limit;
        if (too_long || (ends && !line.empty())) lines.emplace_back(too_long ? "..." : line);
        if (too_long && beyond == Beyond::ends_it) return lines;
        if (!ends) {
            lines.emplace_back(too_long ? "" : stream);
            return lines;
        }
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
        for (const auto beyond : {Beyond::ends_it, Beyond::is_passed_over})
            ASSERT_EQ(framed(stream, 1 + random.below(20), limit, beyond),
                      model(stream, limit, beyond))
                << ::testing::PrintToString(stream) << limit;
    }
}

}  // namespace
}  // namespace protocol
