// Hostile params, maps and moves: whatever they are, the answer is an error or a game, never a
// crash. Bounded, and the same every time; most use under AddressSanitizer.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engines/e7_planets/map.h"
#include "tests/engines/e7_planets/random_map.h"
#include "tests/engines/e7_planets/scene.h"

namespace {

using tests::Random;

constexpr int texts = 2000;
constexpr int turns_played_max = 20;

std::string random_bytes(Random& random, std::size_t bytes_max) {
    std::string text(random.below(bytes_max), ' ');
    for (char& c : text) c = static_cast<char>(random.below(256));
    return text;
}

// Cuts, doubles, changes and swaps pieces of a text that was right.
std::string spoilt(Random& random, std::string text) {
    static const std::vector<std::string> pieces = {"null",
                                                    "-1",
                                                    "0",
                                                    "1e9",
                                                    "[]",
                                                    "{}",
                                                    "\"\"",
                                                    "9007199254740991",
                                                    "18446744073709551615",
                                                    "-9223372036854775808",
                                                    "true",
                                                    "[null,null]",
                                                    ",",
                                                    "]",
                                                    "\"grid\":",
                                                    "2147483648",
                                                    "0.5"};
    for (auto n = 1 + random.below(4); n > 0 && !text.empty(); --n) {
        const auto at = random.below(text.size());
        const auto size = random.below(std::min<std::size_t>(text.size() - at, 12) + 1);
        switch (random.below(4)) {
            case 0:
                text.erase(at, size);
                break;
            case 1:
                text.insert(at, text.substr(random.below(text.size()), size));
                break;
            case 2:
                text.replace(at, size, pieces[random.below(pieces.size())]);
                break;
            default:
                text[at] = static_cast<char>(random.below(256));
                break;
        }
    }
    return text;
}

// Changes numbers only, so that most texts get past the parser.
std::string with_other_numbers(Random& random, const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool is_digit = c >= '0' && c <= '9';
        out += is_digit && random.chance(3) ? static_cast<char>('0' + random.below(10)) : c;
    }
    return out;
}

void play_a_little(Random& random, engines::State& state) {
    for (int turn = 0; turn < turns_played_max && !state.over(); ++turn) {
        protocol::json::Document document;
        const auto text = random.chance(50)
                              ? random_bytes(random, 8)
                              : "\"" + std::string(1, "UDLR."[random.below(5)]) + "\"";
        engines::Answer answer;
        if (document.parse(text)) answer.move = document.root();
        std::vector<engines::Note> notes;
        (void)state.check(0, answer.move);
        state.apply(std::span(&answer, 1), notes);
        std::string out;
        protocol::json::Writer writer(out);
        state.write_state(writer);
        state.write_delta(writer);
        ASSERT_FALSE(state.render().empty());
    }
    if (state.over()) {
        ASSERT_FALSE(state.outcome().detail.empty());
    }
}

TEST(Fuzz, ParamsAndMoves) {
    Random random(21);
    int started = 0;
    for (int i = 0; i < texts; ++i) {
        const auto good = tests::params_of(tests::random_map(random));
        const auto text =
            random.chance(50) ? spoilt(random, good) : with_other_numbers(random, good);
        protocol::json::Document document;
        if (!document.parse(text)) continue;
        auto result = tests::e7_game().start(document.root(), 1);
        if (!result) {
            ASSERT_TRUE(result.error().member.starts_with("params")) << text;
            ASSERT_FALSE(result.error().message.empty());
            continue;
        }
        ++started;
        ASSERT_FALSE(tests::e7_game().full_params(document.root()).empty());
        play_a_little(random, **result);
    }
    EXPECT_GT(started, texts / 100);
}

TEST(Fuzz, MapTexts) {
    Random random(22);
    const auto& maps = *tests::e7_game().maps();
    int valid = 0;
    for (int i = 0; i < texts; ++i) {
        const auto good = engines::e7_planets::map_text(tests::random_map(random));
        const auto text = i % 3 == 0   ? random_bytes(random, 200)
                          : i % 3 == 1 ? spoilt(random, good)
                                       : with_other_numbers(random, good);
        const auto answer = maps.examine(text);
        if (!answer) {
            ASSERT_FALSE(answer.error().message.empty());
            continue;
        }
        ++valid;
        ASSERT_FALSE(maps.picture(text).empty());
    }
    EXPECT_GT(valid, texts / 100);
}

}  // namespace
