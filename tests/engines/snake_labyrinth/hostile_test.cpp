// Random bytes as params, moves and maze files: typed errors or notes, never a crash.

#include <gtest/gtest.h>

#include <string>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;

std::string random_text(tests::Random& random, std::string_view likely, std::size_t bytes_max,
                        std::size_t wild_percent) {
    std::string text;
    for (auto left = random.below(bytes_max); left > 0; --left) {
        text += random.chance(wild_percent) ? static_cast<char>(random.next())
                                            : likely[random.below(likely.size())];
    }
    return text;
}

TEST(Hostile, BytesAsMazes) {
    constexpr std::size_t texts = 20000;
    tests::Random random(1);
    std::size_t good = 0;
    for (std::size_t i = 0; i < texts; ++i) {
        // Half of them begin well.
        std::string text = random.chance(50) ? "3\n2\n" : "";
        text += random_text(random, "#$!T_oo  \n\n{}[]\":35", 24, 1);
        const auto result = tests::snake_game->maps()->examine(text);
        if (!result) {
            ASSERT_FALSE(result.error().message.empty());
            ASSERT_FALSE(json(result.error().message).dump().empty());  // throws where no UTF-8
        } else {
            ++good;
            ASSERT_FALSE(tests::snake_game->maps()->picture(text).empty());
        }
    }
    EXPECT_GT(good, 0U);
}

TEST(Hostile, RandomRowsAsBoards) {
    constexpr std::size_t boards = 5000;
    tests::Random random(2);
    std::size_t started = 0;
    for (std::size_t i = 0; i < boards; ++i) {
        const auto columns = 1 + random.below(6);
        json board = json::array();
        for (auto rows = 1 + random.below(4); rows > 0; --rows) {
            std::string row;
            for (std::size_t c = 0; c < columns; ++c) row += "#$!T_   "[random.below(8)];
            if (random.chance(30)) row[random.below(columns)] = 'o';
            board.push_back(row);
        }
        const auto params = json{{"board", board},
                                 {"max_steps", 1 + random.below(50)},
                                 {"level", random.chance(80) ? "final" : "challenge2"},
                                 {"on_illegal", random.chance(80) ? "stay" : "void"}}
                                .dump();
        if (!tests::accepts(*tests::snake_game, params)) continue;
        ++started;
        auto state = tests::start(*tests::snake_game, params);
        while (!state->over()) {
            const auto before = tests::state_json(*state);
            const auto plan = random_text(random, "NSOENSOENSOEWx ", 9, 0);
            const auto checked = tests::check(*state, 0, json(plan).dump());
            const auto notes = tests::play(*state, {json(plan).dump()});
            ASSERT_EQ(!checked, !notes.empty() && notes.front().is_fault);
            ASSERT_EQ(before.patch(tests::delta_json(*state)), tests::state_json(*state));
        }
        ASSERT_TRUE(tests::outcome_json(*state).at("detail").is_object());
    }
    EXPECT_GT(started, boards / 20);
}

// What comes over the line is valid UTF-8, whatever else it is.
TEST(Hostile, AnyTextAsAPlan) {
    tests::Random random(3);
    auto state = tests::start(*tests::snake_game, R"({"board": ["o _"], "max_steps": 100000})");
    for (std::size_t i = 0; i < 3000; ++i) {
        if (state->over())
            state = tests::start(*tests::snake_game, R"({"board": ["o _"], "max_steps": 100000})");
        json text = "";
        const char* const parts[] = {"O", "\u00e8", "\u4e2d", "\U0001F40D", "\n",
                                     "",  "\"",     "\\",     "\u007f"};
        std::string plan;
        for (auto left = random.below(6); left > 0; --left)
            plan += parts[random.below(std::size(parts))];
        const auto notes = tests::play(*state, {json(plan).dump()});
        ASSERT_FALSE(notes.empty());
        for (const auto& note : notes) ASSERT_GT(json(note.message).dump().size(), 2U);
    }
}

}  // namespace
