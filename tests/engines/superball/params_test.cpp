#include "engines/superball/superball.h"

#include <gtest/gtest.h>

#include "tests/engines/conformance/driver.h"
#include "tests/engines/superball/game.h"

namespace {

TEST(superball_params, all_may_be_left_out) {
    const auto* defaults =
        R"({"rows":8,"cols":10,"min_score_size":5,"colors":"pbyrg","pace_us":5000000})";
    EXPECT_EQ(tests::full_params(*tests::superball_game, "{}"), defaults);
    EXPECT_EQ(tests::superball_game->full_params({}), defaults);
    EXPECT_TRUE(tests::superball_game->start({}, 1));
    EXPECT_EQ(tests::superball_game->params_for(1), defaults);
    EXPECT_FALSE(tests::superball_game->params_for(0));
    EXPECT_FALSE(tests::superball_game->params_for(2));
}

TEST(superball_params, given_ones_are_kept) {
    struct Case {
        const char* given;
        const char* full;
    };
    const Case cases[] = {
        {R"({"rows":1,"cols":1,"min_score_size":1,"colors":"a","pace_us":0})",
         R"({"rows":1,"cols":1,"min_score_size":1,"colors":"a","pace_us":0})"},
        {R"({"colors":"zyxwvutsrqponmlkjihgfedcba","rows":100,"cols":100})",
         R"({"rows":100,"cols":100,"min_score_size":5,"colors":"zyxwvutsrqponmlkjihgfedcba","pace_us":5000000})"},
        {R"({"min_score_size":18446744073709551615,"pace_us":18446744073709551615})",
         R"({"rows":8,"cols":10,"min_score_size":18446744073709551615,"colors":"pbyrg","pace_us":18446744073709551615})"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(tests::full_params(*tests::superball_game, c.given), c.full);
        EXPECT_EQ(tests::full_params(*tests::superball_game, c.full), c.full);
        EXPECT_NE(tests::start(*tests::superball_game, c.given), nullptr);
    }
}

TEST(superball_params, bad_ones_are_refused_by_name) {
    struct Case {
        const char* params;
        const char* member;
        const char* message;
    };
    const char* const side = "expected an integer from 1 to 100, such as 8, found ";
    const char* const col = "expected an integer from 1 to 100, such as 10, found ";
    const char* const size = "expected an integer of at least 1, such as 5, found ";
    const char* const pace = "expected an integer of at least 0, such as 5000000, found ";
    const char* const colors =
        "expected a string of 1 to 26 different lower-case letters, such as \"pbyrg\", found ";
    const Case cases[] = {
        {"[]", "params", "expected an object"},
        {"null", "params", "expected an object"},
        {"7", "params", "expected an object"},
        {R"({"rows":0})", "params.rows", side},
        {R"({"rows":101})", "params.rows", side},
        {R"({"rows":-1})", "params.rows", side},
        {R"({"rows":8.0})", "params.rows", side},
        {R"({"rows":"8"})", "params.rows", side},
        {R"({"rows":null})", "params.rows", side},
        {R"({"rows":4294967304})", "params.rows", side},
        {R"({"cols":0})", "params.cols", col},
        {R"({"cols":101})", "params.cols", col},
        {R"({"cols":[10]})", "params.cols", col},
        {R"({"min_score_size":0})", "params.min_score_size", size},
        {R"({"min_score_size":-5})", "params.min_score_size", size},
        {R"({"min_score_size":5.5})", "params.min_score_size", size},
        {R"({"colors":""})", "params.colors", colors},
        {R"({"colors":"pp"})", "params.colors", colors},
        {R"({"colors":"pbyrgp"})", "params.colors", colors},
        {R"({"colors":"Pb"})", "params.colors", colors},
        {R"({"colors":"p b"})", "params.colors", colors},
        {R"({"colors":"p1"})", "params.colors", colors},
        {R"({"colors":"\u00e9"})", "params.colors", colors},
        {R"({"colors":["p","b"]})", "params.colors", colors},
        {R"({"colors":"abcdefghijklmnopqrstuvwxyza"})", "params.colors", colors},
        {R"({"pace_us":-1})", "params.pace_us", pace},
        {R"({"pace_us":true})", "params.pace_us", pace},
        {R"({"row":8})", "params.row", R"(no such member here; expected "rows", "cols",)"},
        {R"({"seed":1})", "params.seed", "no such member"},
    };
    for (const auto& c : cases) {
        const auto accepted = tests::accepts(*tests::superball_game, c.params);
        ASSERT_FALSE(accepted) << c.params;
        EXPECT_EQ(accepted.error().member, c.member) << c.params;
        EXPECT_TRUE(accepted.error().message.starts_with(c.message))
            << c.params << ": " << accepted.error().message;
        EXPECT_LT(accepted.error().message.size(), 200U);
    }
    EXPECT_EQ(tests::accepts(*tests::superball_game, R"({"rows":101})").error().message,
              "expected an integer from 1 to 100, such as 8, found 101");
}

}  // namespace
