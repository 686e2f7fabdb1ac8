// What the interface promises of a game's facts and setups, for every game of the registry.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engines/conformance/driver.h"
#include "tests/engines/conformance/games.h"

namespace tests {

using Json = nlohmann::json;

namespace {

constexpr std::uint32_t setup_seeds = 6;
constexpr std::size_t keys_bytes_max = 40;
constexpr std::ptrdiff_t legend_lines_max = 9;

class Setups : public testing::TestWithParam<GameCase> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().id); }
};

TEST_P(Setups, InfoIsSane) {
    const auto& info = engine().info();
    EXPECT_GE(info.seats_min, 1U);
    EXPECT_LE(info.seats_min, info.seats_default);
    EXPECT_LE(info.seats_default, info.seats_max);
    EXPECT_LE(info.seats_max, engines::seats_max);
    EXPECT_FALSE(info.title.empty());
    if (info.clock.kind != engines::ClockKind::none) {
        EXPECT_GT(info.clock.budget_us, 0);
    }
    EXPECT_TRUE(Json::accept(info.move_example)) << "GameInfo::move_example is JSON text";
    for (std::size_t seats = 0; seats <= engines::seats_max + 1; ++seats) {
        const auto params = engine().params_for(seats);
        if (seats < info.seats_min || seats > info.seats_max) {
            EXPECT_FALSE(params) << seats;
        } else if (params) {
            EXPECT_EQ(start(engine(), *params)->seats(), seats);
        }
    }
    EXPECT_TRUE(engine().params_for(info.seats_default));
}

TEST_P(Setups, PeopleAreToldTheMoves) {
    const auto& info = engine().info();
    const auto& hand = info.by_hand;
    EXPECT_FALSE(hand.keys.empty()) << "GameInfo::by_hand says what a person types";
    EXPECT_LE(hand.keys.size(), keys_bytes_max) << "the question fits on a line";
    EXPECT_TRUE(hand.legend.ends_with('\n')) << hand.legend;
    EXPECT_LE(std::count(hand.legend.begin(), hand.legend.end(), '\n'), legend_lines_max);
    EXPECT_LE(widest_line(hand.legend), engines::Screen().columns) << hand.legend;
    const auto move = engine().move_from_text(hand.example);
    ASSERT_TRUE(move) << move.error();
    ASSERT_TRUE(Json::accept(*move)) << *move;
    EXPECT_EQ(Json::parse(*move).type(), Json::parse(info.move_example).type())
        << hand.example << " is typed and read as " << *move << ", but a move is such as "
        << info.move_example << ": override Game::move_from_text";
}

TEST_P(Setups, FullParamsAreAFixpointAndStartTheSameGame) {
    for (const auto& params : GetParam().setups) {
        const auto full = full_params(engine(), params);
        SCOPED_TRACE(full.substr(0, 200));
        EXPECT_TRUE(Json::parse(full).is_object());
        EXPECT_EQ(full_params(engine(), full), full);
        for (std::uint32_t seed = 1; seed <= setup_seeds; ++seed) {
            EXPECT_EQ(state_text(*start(engine(), full, seed)),
                      state_text(*start(engine(), params, seed)));
        }
        const auto given = Json::parse(params);
        for (const auto& [name, value] : given.items()) {
            EXPECT_TRUE(Json::parse(full).contains(name)) << name;
        }
    }
}

TEST_P(Setups, AbsentParamsAreAllDefaults) {
    const auto absent = engine().start({}, 1);
    const auto empty = accepts(engine(), "{}");
    ASSERT_EQ(absent.has_value(), empty.has_value());
    if (!empty) {
        EXPECT_FALSE(empty.error().message.empty());
        return;
    }
    const auto& state = *absent;
    EXPECT_EQ(state_text(*state), state_text(*start(engine(), "{}")));
    EXPECT_EQ(engine().full_params({}), full_params(engine(), "{}"));
}

TEST_P(Setups, UnknownParamIsRefusedByName) {
    for (const auto& params : GetParam().setups) {
        auto with_more = Json::parse(params);
        with_more["no_such_member"] = 1;
        const auto accepted = accepts(engine(), with_more.dump());
        ASSERT_FALSE(accepted) << "start() takes a member that it doesn't know: " << with_more;
        EXPECT_EQ(accepted.error().member, "params.no_such_member");
        EXPECT_FALSE(accepted.error().message.empty());
    }
}

TEST_P(Setups, ParamsOfAnotherKindAreRefused) {
    for (const auto* params : {"null", "true", "5", "1.5", "\"x\"", "[]", "[{}]"}) {
        const auto accepted = accepts(engine(), params);
        ASSERT_FALSE(accepted) << "start() takes for an object: " << params;
        EXPECT_EQ(accepted.error().member, "params") << params;
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, Setups, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

TEST(Registry, FindsItsGamesById) {
    for (const auto& game : registry().games()) {
        EXPECT_EQ(registry().find(game->info().id), game.get());
    }
    EXPECT_EQ(registry().find("no_such_game"), nullptr);
}

}  // namespace
}  // namespace tests
