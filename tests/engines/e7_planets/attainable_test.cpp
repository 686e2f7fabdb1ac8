#include "engines/e7_planets/map.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engines/e7_planets/scene.h"

namespace {

namespace e7 = engines::e7_planets;
using tests::Random;

constexpr int random_maps = 400;

TEST(Attainable, IsWhatSearchFinds) {
    Random random(11);
    int partly = 0;
    for (int i = 0; i < random_maps; ++i) {
        auto map = tests::random_map(random);
        if (map.scraps.empty()) continue;
        map.turns = std::min<std::int64_t>(map.turns, 15);
        const auto facts = e7::attainable(map);
        const auto found = tests::search_all_plays(map, true);
        ASSERT_EQ(facts.bound, found.best_score) << e7::map_text(map);
        ASSERT_TRUE(facts.exact());
        ASSERT_EQ(facts.earliest_turn, tests::search_all_plays(map, false).earliest_turn)
            << e7::map_text(map);
        partly += facts.bound > 0 && facts.bound < map.total_value() ? 1 : 0;
    }
    EXPECT_GT(partly, random_maps / 10);
}

struct TypeCase {
    const char* name;
    tests::Scene scene;
    e7::MapType type;
};

TEST(MapType, IsTheNarrowestThatIsProven) {
    const std::vector<TypeCase> cases = {
        {"open space", {{"@...$"}, {}, {}, 4}, e7::MapType::type_1},
        {"only by wrapping", {{"@...$"}, {}, {}, 3}, e7::MapType::type_2},
        {"one of two", {{"$..@.$"}, {}, {}, 6}, e7::MapType::type_2},
        {"both", {{"$..@.$"}, {}, {}, 7}, e7::MapType::type_1},
        {"an asteroid field", {{"@..$#"}, {}, {}, 9}, e7::MapType::type_2},
        {"a nebula", {{"@..$1"}, {}, {}, 9}, e7::MapType::type_2},
        {"a nebula below the ship", {{"@..$."}, {}, {{1, 1, 1}}, 9}, e7::MapType::type_2},
        {"a ghost", {{"@..$a."}, {"t0"}, {}, 9}, e7::MapType::type_3},
    };
    for (const auto& one : cases)
        EXPECT_EQ(e7::map_type(tests::map_of(one.scene)), one.type) << one.name;
}

// So many scraps that the exact search isn't tried.
e7::Map many_scraps(std::int64_t turns) {
    e7::Map map;
    map.rows = 1;
    map.columns = 40;
    map.grid.assign(40, 0);
    for (int i = 1; i < 40; i += 2) map.scraps.push_back({{0, i}, 1 + i % 3});
    map.turns = turns;
    return map;
}

TEST(MapType, WithManyScrapsATourProvesIt) {
    ASSERT_GT(many_scraps(1).scraps.size(), e7::exact_stops_max);
    EXPECT_EQ(e7::map_type(many_scraps(39)), e7::MapType::type_1);
    EXPECT_EQ(e7::map_type(many_scraps(10)), e7::MapType::type_2);
}

// One turn fewer than the best tour that is found: too hard for the exact search, and for the
// bound as well.
TEST(MapType, IsUnknownWhereNeitherIsShown) {
    e7::Map map;
    map.rows = 20;
    map.columns = 21;
    map.grid.assign(static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns), 0);
    for (int i = 0; i < 19; ++i) map.scraps.push_back({{(i * 7) % 20, i + 1}, 1});
    map.turns = 1000;
    EXPECT_EQ(e7::map_type(map), e7::MapType::type_1);
    map.turns = e7::attainable(map, e7::Edges::walls).shown_turns - 1;
    EXPECT_EQ(e7::map_type(map), e7::MapType::unknown);
    map.turns = 20;
    EXPECT_EQ(e7::map_type(map), e7::MapType::type_2);
}

TEST(Attainable, BoundsManyScraps) {
    for (const std::int64_t turns : {1, 2, 5, 10, 20, 39, 50}) {
        const auto map = many_scraps(turns);
        const auto facts = e7::attainable(map, e7::Edges::walls);
        // Without wrapping the row is walked from left to right.
        std::int64_t best = 0;
        for (const auto& scrap : map.scraps) best += scrap.cell.column <= turns ? scrap.value : 0;
        EXPECT_LE(facts.shown, best) << turns;
        EXPECT_GE(facts.bound, best) << turns;
        EXPECT_GE(facts.shown * 10, best * 9) << turns;
    }
}

TEST(Attainable, TakesVeryManyScraps) {
    e7::Map map;
    map.rows = 300;
    map.columns = 300;
    map.grid.assign(90000, 0);
    for (int i = 1; i < 90000; i += 3) map.scraps.push_back({{i / 300, i % 300}, i});
    map.turns = 2;
    const auto facts = e7::attainable(map);
    EXPECT_GE(facts.bound, 1);
    EXPECT_LE(facts.bound, 2 * 90000);
    EXPECT_EQ(e7::map_type(map), e7::MapType::type_2);
    map.turns = 200000;
    EXPECT_EQ(e7::attainable(map).bound, map.total_value());
    EXPECT_EQ(e7::map_type(map), e7::MapType::unknown);
}

TEST(Attainable, StandsHugeNumbers) {
    auto map = tests::map_of({{"@.$.$"}, {}, {}, 3});
    map.grid[1] = (std::int64_t{1} << 53) - 1;
    map.scraps[0].value = (std::int64_t{1} << 53) - 2;
    map.scraps[1].value = 1;
    EXPECT_EQ(e7::attainable(map).bound, (std::int64_t{1} << 53) - 1);
}

}  // namespace
