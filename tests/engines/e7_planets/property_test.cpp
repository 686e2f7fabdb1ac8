// Random games: the engine against a second reading of the page, deltas, copies, conservation.

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/engines/e7_planets/page_rules.h"
#include "tests/engines/e7_planets/random_map.h"
#include "tests/engines/e7_planets/scene.h"

namespace {

using nlohmann::json;
using tests::Random;

constexpr std::uint64_t games = 1500;

std::string random_move(Random& random) {
    static const std::vector<std::string> moves = {"\"U\"", "\"D\"", "\"L\"", "\"R\"", "\".\""};
    static const std::vector<std::string> wrong = {"null", "\"N\"", "7", "[]", "\"\""};
    return random.chance(7) ? wrong[random.below(wrong.size())] : moves[random.below(moves.size())];
}

// A map may come out without two empty cells or without a scrap: such a one is refused.
std::unique_ptr<engines::State> random_game(Random& random) {
    for (;;) {
        const auto params = tests::params_of(tests::random_map(random));
        if (tests::accepts(tests::e7_game(), params)) return tests::start(tests::e7_game(), params);
    }
}

long value_of(const json& scraps) {
    return std::accumulate(scraps.begin(), scraps.end(), 0L, [](long sum, const json& scrap) {
        return sum + scrap.at("value").get<long>();
    });
}

TEST(RandomGames, AreThoseOfThePage) {
    Random random(7);
    std::size_t caught = 0;
    std::size_t won = 0;
    for (std::uint64_t i = 0; i < games; ++i) {
        const auto state = random_game(random);
        auto expected = tests::state_json(*state);
        while (!state->over()) {
            const auto move = random_move(random);
            tests::play(*state, {move});
            expected = tests::next_state(expected, json::parse(move));
            ASSERT_EQ(tests::state_json(*state), expected) << "game " << i;
            const bool is_over = tests::is_caught(expected) || expected.at("scraps").empty() ||
                                 expected.at("remaining_turns") == 0;
            ASSERT_EQ(state->over(), is_over) << "game " << i;
        }
        const auto detail = tests::outcome_json(*state).at("detail");
        ASSERT_EQ(detail.at("caught"), tests::is_caught(expected));
        ASSERT_EQ(detail.at("win"), expected.at("scraps").empty() && !tests::is_caught(expected));
        caught += detail.at("caught").get<bool>() ? 1 : 0;
        won += detail.at("win").get<bool>() ? 1 : 0;
    }
    // The maps are crowded enough to see all ends.
    EXPECT_GT(caught, games / 20);
    EXPECT_GT(won, games / 20);
}

TEST(RandomGames, ConserveValueAndTurns) {
    Random random(8);
    for (std::uint64_t i = 0; i < games; ++i) {
        const auto state = random_game(random);
        const auto start = tests::state_json(*state);
        std::size_t turns = 0;
        while (!state->over()) {
            tests::play(*state, {random_move(random)});
            ++turns;
            const auto now = tests::state_json(*state);
            ASSERT_EQ(now.at("player").at("score").get<long>() + value_of(now.at("scraps")),
                      value_of(start.at("scraps")));
            ASSERT_EQ(now.at("player").at("location").size(), turns + 2);
            for (const auto& ghost : now.at("ghosts"))
                ASSERT_EQ(ghost.at("location").size(), turns + 2);
            ASSERT_EQ(now.at("grid"), start.at("grid"));
        }
        const auto detail = tests::outcome_json(*state).at("detail");
        ASSERT_EQ(detail.at("n_turns"), turns);
        ASSERT_EQ(detail.at("max_turns"), start.at("remaining_turns"));
        ASSERT_EQ(detail.at("scraps_picked_up").size() + detail.at("scraps_left").size(),
                  start.at("scraps").size());
        ASSERT_EQ(value_of(detail.at("scraps_picked_up")), detail.at("score"));
    }
}

TEST(RandomGames, DeltasLeadFromStateToState) {
    Random random(9);
    for (std::uint64_t i = 0; i < games / 4; ++i) {
        const auto state = random_game(random);
        auto patched = tests::state_json(*state);
        while (!state->over()) {
            const auto copy = state->clone();
            const auto move = random_move(random);
            tests::play(*state, {move});
            patched = patched.patch(tests::delta_json(*state));
            ASSERT_EQ(patched, tests::state_json(*state)) << "game " << i;
            tests::play(*copy, {move});
            ASSERT_EQ(tests::state_text(*copy), tests::state_text(*state));
        }
    }
}

TEST(Delta, DoesNotGrowWithTheTurns) {
    const auto state = tests::start(tests::e7_game(), R"({"map": "spiral_ghosts"})");
    const auto bytes = [&] {
        std::string text;
        protocol::json::Writer writer(text);
        state->write_delta(writer);
        return text.size();
    };
    tests::play_letters(*state, ".");
    const auto first = bytes();
    for (int i = 0; i < 20 && !state->over(); ++i) {
        tests::play_letters(*state, i % 2 == 0 ? "L" : "R");
        // Coordinates of one or two digits, and the number of turns.
        const auto movers = tests::state_json(*state).at("ghosts").size() + 1;
        EXPECT_LE(bytes(), first + 2 * movers);
    }
}

TEST(Delta, HasTheseOperations) {
    const auto state = tests::start(
        tests::e7_game(), tests::params_of(tests::map_of({{"$@$.a.", ".....$"}, {"b0L"}, {}, 9})));
    tests::play_letters(*state, "R");
    EXPECT_EQ(tests::delta_json(*state), json::parse(R"([
        {"op": "add", "path": "/player/location/-", "value": [1, 3]},
        {"op": "replace", "path": "/player/score", "value": 5},
        {"op": "remove", "path": "/scraps/1"},
        {"op": "add", "path": "/ghosts/0/location/-", "value": [1, 4]},
        {"op": "replace", "path": "/remaining_turns", "value": 8}])"));
}

}  // namespace
