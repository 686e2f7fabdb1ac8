#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engines/e7_planets/map.h"
#include "engines/e7_planets/planets_maps.h"
#include "tests/engines/e7_planets/scene.h"

namespace {

namespace e7 = engines::e7_planets;

constexpr std::uint32_t seeds = 30;

const engines::MapCollection& shipped_maps() {
    return *tests::e7_game().maps();
}

std::string generated(const engines::GenerateRequest& request) {
    const auto answer = shipped_maps().generate(request);
    EXPECT_TRUE(answer) << request.type << " " << request.seed;
    return answer.value_or("");
}

TEST(Generator, MakesMapsOfTheTypeAskedFor) {
    for (const std::string type : {"beta", "type-1", "type-2", "type-3"}) {
        std::set<std::string> different;
        for (std::uint32_t seed = 0; seed < seeds; ++seed) {
            const auto text = generated({type, seed, {}, {}});
            const auto read = e7::read_map_text(text);
            ASSERT_TRUE(read) << text;
            const auto& map = *read;
            const auto proven = e7::type_name(e7::map_type(map));
            ASSERT_EQ(proven, type == "beta" ? "type-1" : type) << text;
            if (type == "beta") {
                ASSERT_EQ(map.scraps.size(), 1U);
            }
            const auto facts = e7::attainable(map);
            ASSERT_GT(facts.bound, 0) << text;
            ASSERT_GE(facts.reachable() * 2, map.scraps.size()) << text;
            ASSERT_TRUE(tests::start(tests::e7_game(), "{\"map\":" + text + "}"));
            different.insert(text);
        }
        EXPECT_EQ(different.size(), seeds) << type;
    }
}

TEST(Generator, KeepsToTheSizeAskedFor) {
    const std::vector<std::pair<std::size_t, std::size_t>> sizes = {
        {e7::generated_side_min, e7::generated_side_min},
        {e7::generated_side_min, e7::generated_side_max},
        {e7::generated_side_max, e7::generated_side_max},
        {17, 9},
    };
    for (const std::string type : {"beta", "type-1", "type-2", "type-3"}) {
        for (const auto& [rows, columns] : sizes) {
            for (std::uint32_t seed = 1; seed <= 2; ++seed) {
                const auto read = e7::read_map_text(generated({type, seed, rows, columns}));
                ASSERT_TRUE(read);
                EXPECT_EQ(read->rows, static_cast<int>(rows));
                EXPECT_EQ(read->columns, static_cast<int>(columns));
            }
        }
    }
}

TEST(Generator, GivesTheSameMapAgain) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        EXPECT_EQ(generated({"type-3", seed, {}, {}}), generated({"type-3", seed, {}, {}}));
    }
    // On every machine, too: a map as it was made once. It also ships.
    EXPECT_EQ(generated({"type-3", 1, {}, {}}), *shipped_maps().text("type3_01"));
    EXPECT_EQ(generated({"type-2", 12, {}, {}}), *shipped_maps().text("type2_12"));
    EXPECT_EQ(generated({"type-1", 7, {}, {}}), *shipped_maps().text("type1_07"));
}

TEST(Generator, NamesWhatItCanMake) {
    struct Case {
        engines::GenerateRequest request;
        std::string member;
        std::string message_part;
    };
    const std::vector<Case> cases = {
        {{"type-4", 1, {}, {}}, "type", "'type-3'"},
        {{"", 1, {}, {}}, "type", "'beta'"},
        {{"type-1", 1, 5, {}}, "rows", "6 to 100"},
        {{"type-1", 1, {}, 101}, "columns", "found 101"},
        {{"type-1", 1, 0, 0}, "rows", "found 0"},
    };
    for (const auto& one : cases) {
        const auto answer = shipped_maps().generate(one.request);
        ASSERT_FALSE(answer);
        const auto& error = answer.error();
        EXPECT_EQ(error.member, one.member);
        EXPECT_NE(error.message.find(one.message_part), std::string::npos) << error.message;
    }
}

}  // namespace
