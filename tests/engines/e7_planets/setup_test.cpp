// Params and maps: what is refused, by the name of the member, and what is taken.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "engines/e7_planets/map.h"
#include "tests/engines/e7_planets/scene.h"

namespace {

using nlohmann::json;

const json good_map = json::parse(R"({
    "grid": [[0, 0, -1, 3], [0, 2, 0, 0], [0, 0, 0, 0]],
    "player": {"location": [[null, null], [1, 1]], "score": 0},
    "scraps": [{"location": [1, 4], "value": 5}, {"location": [3, 3], "value": 1}],
    "ghosts": [{"location": [[1, 3], [2, 3]], "type": "backandforth", "transparency": 0},
               {"location": [[null, null], [3, 1]], "type": "towardplayer", "transparency": 2}],
    "remaining_turns": 10})");

struct RefusedCase {
    std::string member;
    std::string message_part;
    std::function<void(json& map)> spoil;
};

// Spoils a map by putting the value at this place.
std::function<void(json&)> put(const std::string& pointer, const json& value) {
    return [=](json& map) { map[json::json_pointer(pointer)] = value; };
}

std::function<void(json&)> drop(const std::string& pointer) {
    return [=](json& map) {
        map = map.patch(json::array({{{"op", "remove"}, {"path", pointer}}}));
    };
}

const std::vector<RefusedCase> refused = {
    {"params.map.grid", "found nothing", drop("/grid")},
    {"params.map.player", "found nothing", drop("/player")},
    {"params.map.scraps", "found nothing", drop("/scraps")},
    {"params.map.ghosts", "found nothing", drop("/ghosts")},
    {"params.map.remaining_turns", "found nothing", drop("/remaining_turns")},
    {"params.map.name", "no such member here", put("/name", "mine")},
    {"params.map.grid", "an object", put("/grid", json::object())},
    {"params.map.grid", "found an array", put("/grid", json::array())},
    {"params.map.grid[0]", "found an array", put("/grid/0", json::array())},
    {"params.map.grid[0]", "found null", put("/grid/0", nullptr)},
    {"params.map.grid[2]", "expected 4 cells as in the first row, found 3",
     put("/grid/2", {0, 0, 0})},
    {"params.map.grid[1]", "expected 4 cells as in the first row, found 5",
     put("/grid/1", {0, 0, 0, 0, 0})},
    {"params.map.grid[1][2]", "found -2", put("/grid/1/2", -2)},
    {"params.map.grid[1][2]", "9007199254740991", put("/grid/1/2", 9007199254740992)},
    {"params.map.grid", "at least two cells of empty space (0), found 1",
     put("/grid", {{0, 1, -1, 3}, {1, 2, 1, 1}, {1, 1, 1, 1}})},
    {"params.map.player", "an object", put("/player", json::array())},
    {"params.map.player.speed", "no such member here", put("/player/speed", 1)},
    {"params.map.player.score", "found nothing", drop("/player/score")},
    {"params.map.player.score", "found 1", put("/player/score", 1)},
    {"params.map.player.location", "found nothing", drop("/player/location")},
    {"params.map.player.location", "two rows", put("/player/location", 3)},
    {"params.map.player.location", "found 1", drop("/player/location/0")},
    {"params.map.player.location", "found 3", put("/player/location/2", {1, 1})},
    {"params.map.player.location[0]", "[null, null]", put("/player/location/0", {1, 2})},
    {"params.map.player.location[0]", "[null, null]",
     put("/player/location/0", json::array({nullptr}))},
    {"params.map.player.location[0]", "[null, null]", put("/player/location/0", nullptr)},
    {"params.map.player.location[1]", "found null", put("/player/location/1", nullptr)},
    {"params.map.player.location[1]", "found 3 elements", put("/player/location/1", {1, 1, 1})},
    {"params.map.player.location[1][0]", "from 1 to 3, found 0", put("/player/location/1", {0, 1})},
    {"params.map.player.location[1][0]", "from 1 to 3, found 4", put("/player/location/1", {4, 1})},
    {"params.map.player.location[1][1]", "from 1 to 4, found 5", put("/player/location/1", {1, 5})},
    {"params.map.player.location", "on an asteroid field", put("/player/location/1", {1, 3})},
    {"params.map.scraps", "at least one", put("/scraps", json::array())},
    {"params.map.scraps", "at least one", put("/scraps", nullptr)},
    {"params.map.scraps[1]", "an object", put("/scraps/1", 5)},
    {"params.map.scraps[1].colour", "no such member here", put("/scraps/1/colour", "red")},
    {"params.map.scraps[1].value", "found nothing", drop("/scraps/1/value")},
    {"params.map.scraps[1].value", "found 0", put("/scraps/1/value", 0)},
    {"params.map.scraps[1].value", "all scraps", put("/scraps/1/value", 9007199254740991)},
    {"params.map.scraps[0].location", "on an asteroid field", put("/scraps/0/location", {1, 3})},
    {"params.map.scraps[0].location", "where the player starts", put("/scraps/0/location", {1, 1})},
    {"params.map.scraps[1].location", "where scraps[0] starts", put("/scraps/1/location", {1, 4})},
    {"params.map.scraps[1].location[1]", "from 1 to 4", put("/scraps/1/location", {1, 9})},
    {"params.map.ghosts", "an array", put("/ghosts", nullptr)},
    {"params.map.ghosts", "an array", put("/ghosts", json::object())},
    {"params.map.ghosts[0]", "an object", put("/ghosts/0", "b0")},
    {"params.map.ghosts[0].speed", "no such member here", put("/ghosts/0/speed", 1)},
    {"params.map.ghosts[0].type", "found nothing", drop("/ghosts/0/type")},
    {"params.map.ghosts[0].type", "found \"Backandforth\"", put("/ghosts/0/type", "Backandforth")},
    {"params.map.ghosts[0].transparency", "found 3", put("/ghosts/0/transparency", 3)},
    {"params.map.ghosts[0].transparency", "found -1", put("/ghosts/0/transparency", -1)},
    {"params.map.ghosts[0].location", "found 3", put("/ghosts/0/location/2", {2, 3})},
    {"params.map.ghosts[0].location[0]", "a cell", put("/ghosts/0/location/0", nullptr)},
    {"params.map.ghosts[0].location[0][0]", "found null",
     put("/ghosts/0/location/0", {nullptr, nullptr})},
    {"params.map.ghosts[0].location[0]", "one step", put("/ghosts/0/location/0", {2, 3})},
    {"params.map.ghosts[0].location[0]", "one step", put("/ghosts/0/location/0", {1, 2})},
    {"params.map.ghosts[0].location[0]", "one step", put("/ghosts/0/location/0", {2, 1})},
    {"params.map.ghosts[0].location[0][1]", "from 1 to 4",
     put("/ghosts/0/location", {{2, 5}, {2, 4}})},
    {"params.map.ghosts[0].location[0]", "one step", put("/ghosts/0/location", {{2, 4}, {2, 1}})},
    {"params.map.ghosts[0].location", "on an asteroid field",
     put("/ghosts/0/location", {{1, 2}, {1, 3}})},
    {"params.map.ghosts[1].location", "on an asteroid field", put("/ghosts/1/location/1", {1, 3})},
    {"params.map.ghosts[1].location", "where the player starts",
     put("/ghosts/1/location/1", {1, 1})},
    {"params.map.ghosts[1].location", "where scraps[0] starts",
     put("/ghosts/1/location/1", {1, 4})},
    {"params.map.ghosts[1].location", "where ghosts[0] starts",
     put("/ghosts/1/location/1", {2, 3})},
    {"params.map.ghosts[1].location[0]", "[null, null]", put("/ghosts/1/location/0", {2, 1})},
    {"params.map.remaining_turns", "found 0", put("/remaining_turns", 0)},
    {"params.map.remaining_turns", "1000000", put("/remaining_turns", 1000001)},
};

TEST(Setup, RefusesMapsByTheNameOfTheMember) {
    for (const auto& one : refused) {
        json map = good_map;
        one.spoil(map);
        const auto accepted = tests::accepts(tests::e7_game(), json{{"map", map}}.dump());
        ASSERT_FALSE(accepted) << one.member << " " << one.message_part;
        EXPECT_EQ(accepted.error().member, one.member) << accepted.error().message;
        EXPECT_NE(accepted.error().message.find(one.message_part), std::string::npos)
            << one.member << ": " << accepted.error().message;
    }
}

TEST(Setup, RefusesOtherParams) {
    tests::expect_refused(tests::e7_game(), R"rows(
        {} -> params.map: a map's name or a map
        {"map": null} -> params.map
        {"map": 5} -> params.map
        {"map": []} -> params.map
        {"map": "one_scrap", "size": 3} -> params.size: no such member here
        {"map": {}} -> params.map.grid: found nothing
        {"map": ""} -> params.map: there is no map of that name
        {"map": "one_scarp"} -> params.map: there is no map of that name; did you mean "one_scrap"?
            `referee maps e7_planets` lists all
        {"map": "none"} -> params.map: there is no map of that name; expected one such as
            'one_scrap'; `referee maps e7_planets` lists all
    )rows");
    const auto absent = tests::e7_game().start({}, 1);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().member, "params.map");
}

TEST(Setup, TakesWhatThePageAllows) {
    const std::vector<std::function<void(json&)>> changes = {
        [](json&) {},
        put("/ghosts", json::array()),
        put("/ghosts/0/location/0", {1, 3}),          // before the start: an asteroid field
        put("/ghosts/0/location", {{1, 1}, {2, 1}}),  // or taken by the ship
        put("/player/location/1", {2, 2}),            // on a nebula
        put("/grid/2/1", 9007199254740991),
        put("/scraps/0/value", 9007199254740990),
        put("/remaining_turns", 1),
        put("/remaining_turns", 1000000),
        put("/grid", {{0, 1, -1, 3}, {1, 2, 1, 1}, {1, 1, 0, 1}}),  // just two empty cells
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        json map = good_map;
        changes[i](map);
        const auto params = json{{"map", map}}.dump();
        const auto state = tests::start(tests::e7_game(), params);
        ASSERT_TRUE(state) << i;
        EXPECT_EQ(tests::state_json(*state), map) << i;
        EXPECT_EQ(json::parse(tests::full_params(tests::e7_game(), params)).at("map"), map) << i;
    }
}

TEST(Setup, HasLimits) {
    namespace e7 = engines::e7_planets;
    const auto with_grid = [](std::size_t rows, std::size_t columns) {
        json map = good_map;
        map["ghosts"] = json::array();
        map["grid"] = json(std::vector(rows, std::vector<int>(columns, 0)));
        return json{{"map", map}}.dump();
    };
    const auto side = static_cast<std::size_t>(e7::rows_max);
    EXPECT_TRUE(tests::accepts(tests::e7_game(), with_grid(side, 4)));
    EXPECT_TRUE(tests::accepts(tests::e7_game(), with_grid(3, side)));
    EXPECT_EQ(tests::accepts(tests::e7_game(), with_grid(side + 1, 4)).error().member,
              "params.map.grid");
    EXPECT_EQ(tests::accepts(tests::e7_game(), with_grid(3, side + 1)).error().member,
              "params.map.grid[0]");

    json map = json::parse(with_grid(side, 4)).at("map");
    for (std::size_t i = 0; i < 20; ++i) {
        map["ghosts"].push_back({{"location", {{nullptr, nullptr}, {100 + i, 1}}},
                                 {"type", "towardplayer"},
                                 {"transparency", 0}});
    }
    map["remaining_turns"] = e7::history_rows_max / 21;
    EXPECT_TRUE(tests::accepts(tests::e7_game(), json{{"map", map}}.dump()));
    map["remaining_turns"] = e7::history_rows_max / 21 + 1;
    EXPECT_EQ(tests::accepts(tests::e7_game(), json{{"map", map}}.dump()).error().member,
              "params.map.remaining_turns");
    for (std::size_t i = 20; i <= e7::ghosts_max; ++i) map["ghosts"].push_back(map["ghosts"][0]);
    EXPECT_EQ(tests::accepts(tests::e7_game(), json{{"map", map}}.dump()).error().member,
              "params.map.ghosts");
}

TEST(Setup, PlaysTheLargestMap) {
    namespace e7 = engines::e7_planets;
    e7::Map map;
    map.rows = e7::rows_max;
    map.columns = e7::columns_max;
    map.grid.assign(static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns), 0);
    map.scraps = {{{map.rows - 1, map.columns - 1}, 1}};
    map.turns = e7::turns_max;
    const auto state = tests::start(tests::e7_game(), tests::params_of(map));
    tests::play_letters(*state, "UL");
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::outcome_json(*state).at("detail").at("win"), true);
}

TEST(FullParams, KeepShippedMapsByTheirListedNameOnly) {
    const auto own = engines::e7_planets::make_game(
        {{{"mine", good_map.dump()}, {"corners", good_map.dump()}, {"broken", "{\n\"grid\": 5}"}}});
    EXPECT_EQ(tests::full_params(*own, R"({"map": "one_scrap"})"), R"({"map":"one_scrap"})");
    EXPECT_EQ(tests::full_params(*own, R"({"map": "two_scraps_block"})"),
              R"({"map":"two_scrap_block"})");
    EXPECT_EQ(json::parse(tests::full_params(*own, R"({"map": "mine"})")).at("map"), good_map);
    EXPECT_EQ(json::parse(tests::full_params(*own, R"({"map": "corners"})")).at("map"), good_map);
    const auto accepted = tests::accepts(*own, R"({"map": "broken"})");
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error().member, "params.map");
    EXPECT_NE(accepted.error().message.find("broken"), std::string::npos)
        << accepted.error().message;
}

}  // namespace
