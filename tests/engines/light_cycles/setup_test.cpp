#include "engines/light_cycles/arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>

#include "engines/light_cycles/light_cycles.h"
#include "tests/engines/conformance/driver.h"

namespace engines::light_cycles {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const char* const default_params =
    R"({"width":170,"height":170,"teams":4,"cycles_per_team":3,"mean_budget_us":50000,)"
    R"("grace_turns":0,"starts":[[169,45],[169,85],[169,125],[45,169],[85,169],[125,169],)"
    R"([0,45],[0,85],[0,125],[45,0],[85,0],[125,0]]})";

TEST(Setup, FillsInDefaults) {
    const auto game = make_game({});
    EXPECT_EQ(tests::full_params(*game, "{}"), default_params);
    EXPECT_EQ(game->params_for(4), default_params);
    const auto full = json::parse(tests::full_params(*game, R"({"grace_turns": 7})"));
    EXPECT_EQ(full.at("grace_turns"), 7);
    EXPECT_EQ(full.at("starts"), json::parse(default_params).at("starts"));
}

struct Refused {
    const char* params;
    const char* member;
    const char* message;
};

const Refused refused[] = {
    {R"({"width": 0})", "params.width", "from 1 to 1000, found 0"},
    {R"({"width": 1001})", "params.width", "found 1001"},
    {R"({"width": 170.0})", "params.width", "expected an integer"},
    {R"({"height": -1})", "params.height", "from 1 to 1000"},
    {R"({"height": null})", "params.height", "found null"},
    {R"({"teams": 1})", "params.teams", "from 2 to 8"},
    {R"({"teams": 9})", "params.teams", "found 9"},
    {R"({"cycles_per_team": 0})", "params.cycles_per_team", "from 1 to 100"},
    {R"({"cycles_per_team": 101})", "params.cycles_per_team", "found 101"},
    {R"({"mean_budget_us": 0})", "params.mean_budget_us", "of at least 1, found 0"},
    {R"({"mean_budget_us": "1"})", "params.mean_budget_us", "found \"1\""},
    {R"({"grace_turns": -1})", "params.grace_turns", "of at least 0, found -1"},
    {R"({"grace_turns": 18446744073709551615})", "params.grace_turns",
     "found 18446744073709551615"},
    {R"({"team": 4})", "params.team", "no such member here; expected \"width\""},
    {R"({"width": 171})", "params.starts", "must be given"},
    {R"({"height": 169})", "params.starts", "must be given"},
    {R"({"teams": 2})", "params.starts", "must be given"},
    {R"({"cycles_per_team": 2})", "params.starts", "list of 8 cells"},
    {R"({"starts": null})", "params.starts", "found null"},
    {R"({"starts": []})", "params.starts", "list of 12 cells"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, 0]]})", "params.starts", "a list of 1"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [170, 0]]})", "params.starts[1]",
     "x from 0 to 169"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, -1], [1, 0]]})", "params.starts[0]",
     "y from 0 to 169"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1]]})", "params.starts[1]",
     "[x, y]"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1, 2, 3]]})", "params.starts[1]",
     "[x, y]"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1.0, 2]]})", "params.starts[1]",
     "[x, y]"},
    {R"({"teams": 2, "cycles_per_team": 1, "starts": [[5, 6], [5, 6]]})", "params.starts[1]",
     "start of another cycle"},
    {R"({"starts": [[5, 6], [5, 7]], "cycles_per_team": 1, "width": 5, "teams": 2})",
     "params.starts[0]", "x from 0 to 4"},
};

TEST(Setup, RefusesByMember) {
    const auto game = make_game({});
    for (const auto& [params, member, message] : refused) {
        const auto accepted = tests::accepts(*game, params);
        ASSERT_FALSE(accepted) << params;
        EXPECT_EQ(accepted.error().member, member) << params;
        EXPECT_THAT(accepted.error().message, HasSubstr(message)) << params;
    }
}

TEST(Setup, TakesTheLargest) {
    const auto game = make_game({});
    json starts = json::array();
    for (int i = 0; i < 800; ++i) starts.push_back({999 - i % 2, 999 - i});
    const json params = {{"width", 1000},
                         {"height", 1000},
                         {"teams", 8},
                         {"starts", starts},
                         {"cycles_per_team", 100}};
    const auto state = tests::start(*game, params.dump());
    ASSERT_TRUE(state);
    EXPECT_EQ(state->seats(), 8U);
    EXPECT_EQ(tests::state_json(*state).at("cycles").size(), 800U);
}

TEST(Setup, SeatsEveryNumberOfTeams) {
    const auto game = make_game({});
    const auto usual = json::parse(default_params).at("starts");
    for (std::size_t teams = 2; teams <= 8; ++teams) {
        const auto params = json::parse(*game->params_for(teams));
        EXPECT_EQ(params.at("teams"), teams);
        const auto starts = params.at("starts").get<std::vector<std::array<int, 2>>>();
        ASSERT_EQ(starts.size(), 3 * teams);
        std::set<std::array<int, 2>> different(starts.begin(), starts.end());
        EXPECT_EQ(different.size(), starts.size());
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto [x, y] = starts[i];
            const bool on_side = x == 0 || x == 169;
            const bool on_end = y == 0 || y == 169;
            EXPECT_NE(on_side, on_end) << "on the edge, in no corner: " << x << " " << y;
            if (teams <= 4) {
                EXPECT_EQ(usual.at(i), json({x, y}));
                continue;
            }
            const auto [next_x, next_y] = starts[(i + 1) % starts.size()];
            const int apart = std::abs(next_x - x) + std::abs(next_y - y);
            EXPECT_GE(apart, 676 / static_cast<int>(starts.size()) - 1) << i;
        }
    }
    EXPECT_EQ(game->params_for(1), std::nullopt);
    EXPECT_EQ(game->params_for(9), std::nullopt);
}

}  // namespace
}  // namespace engines::light_cycles
