// The maps that ship, what is said of them, and an instructor's own.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engines/e7_planets/map.h"
#include "tests/engines/e7_planets/scene.h"
#include "tests/places.h"

namespace {

namespace e7 = engines::e7_planets;
using nlohmann::json;

constexpr std::size_t maps_of_each_type_min = 10;  // beside the published ones

const engines::MapCollection& maps() {
    return *tests::e7_game().maps();
}

e7::Map shipped(const std::string& name) {
    const auto text = maps().text(name);
    EXPECT_TRUE(text) << name;
    auto map = e7::read_map_text(text.value_or(""));
    EXPECT_TRUE(map) << name;
    return *map;
}

std::string fact(const std::string& text, std::string_view name) {
    const auto facts = maps().examine(text);
    for (const auto& each : facts.value()) {
        if (each.name == name) return each.value;
    }
    return "no such fact";
}

TEST(ShippedMaps, AnswerToTheirOtherSpellings) {
    for (const std::string rest :
         {"", "_block", "_nebula", "_ghosts", "_block_ghosts", "_nebula_ghosts"}) {
        const auto listed = maps().text("two_scrap" + rest);
        ASSERT_TRUE(listed) << rest;
        EXPECT_EQ(maps().text("two_scraps" + rest), listed) << rest;
        const auto params = json{{"map", "two_scraps" + rest}}.dump();
        EXPECT_TRUE(tests::accepts(tests::e7_game(), params)) << rest;
    }
    EXPECT_FALSE(maps().text("one_scraps"));
}

TEST(ShippedMaps, HaveTheTypesOfTheirNames) {
    for (const std::string type : {"1", "2", "3"}) {
        std::size_t count = 0;
        for (const auto& name : maps().names()) {
            if (!name.starts_with("type" + type + "_")) continue;
            ++count;
            EXPECT_EQ(fact(*maps().text(name), "type"), "type-" + type) << name;
        }
        EXPECT_GE(count, maps_of_each_type_min) << type;
    }
}

TEST(ShippedMaps, AreAllDifferentAndPlayable) {
    std::set<std::string> names;
    std::set<std::string> seen;
    for (const auto& name : maps().names()) {
        EXPECT_TRUE(names.insert(name).second) << name;
        const auto text = *maps().text(name);
        EXPECT_TRUE(seen.insert(text).second) << name;
        const auto state = tests::start(tests::e7_game(), maps().params_for_map(name));
        ASSERT_TRUE(state) << name;
        EXPECT_EQ(tests::state_json(*state), json::parse(text)) << name;
        EXPECT_EQ(maps().picture(text), state->render()) << name;
        EXPECT_EQ(e7::map_text(shipped(name)), text) << name;
    }
}

struct Version {
    std::string_view name;
    std::uint64_t checksum;
};

// A published version stays here as it is; a change of the maps is a new line.
constexpr Version versions[] = {
    {"release", 13143647834578380372ULL},
};

TEST(ShippedMaps, ChangeWithTheirVersionOnly) {
    const auto& newest = std::end(versions)[-1];
    EXPECT_EQ(maps().version(), newest.name);
    EXPECT_EQ(tests::checksum_of(maps()), newest.checksum)
        << "the maps have changed: give them a new version, and add it here";
}

// What map_facts.json says of a map, worked out again.
json facts_of(const std::string& name) {
    const auto map = shipped(name);
    const auto facts = e7::attainable(map);
    json earliest = json::array();
    for (const auto& turn : facts.earliest_turn)
        earliest.push_back(turn ? json(*turn) : json(nullptr));
    return {{"type", e7::type_name(e7::map_type(map))},
            {"turns", map.turns},
            {"total_value", map.total_value()},
            {"earliest_turns", earliest},
            {"attainable", facts.bound}};
}

TEST(MapFacts, SayOfEachScrapWhenItCanBeHad) {
    const auto stated =
        json::parse(tests::read_file(tests::source_root() + "/engines/e7_planets/map_facts.json"));
    const auto names = maps().names();
    EXPECT_EQ(stated.size(), names.size());
    for (const auto& name : names) {
        const auto facts = facts_of(name);
        ASSERT_TRUE(stated.contains(name)) << "\"" << name << "\": " << facts;
        EXPECT_EQ(stated.at(name), facts) << name;
        EXPECT_TRUE(e7::attainable(shipped(name)).exact()) << name;
    }
}

TEST(OwnMaps, ComeLastAndHideShippedOnes) {
    const auto text = *maps().text("corners");
    const auto game = e7::make_game({{{"zebra", text}, {"one_scrap", text}, {"broken", "[]"}}});
    const auto& own = *game->maps();
    const auto names = own.names();
    EXPECT_EQ(names.size(), maps().names().size() + 2);
    EXPECT_EQ((std::vector<std::string>(names.end() - 3, names.end())),
              (std::vector<std::string>{"zebra", "one_scrap", "broken"}));
    EXPECT_EQ(own.text("one_scrap"), text);
    EXPECT_EQ(tests::state_json(*tests::start(*game, R"({"map": "one_scrap"})")),
              json::parse(text));
    EXPECT_FALSE(own.examine(*own.text("broken")));
    EXPECT_EQ(own.version(), maps().version());
    const auto imported = e7::make_game({{{"zebra", text}}, "revision01"});
    EXPECT_EQ(imported->maps()->version(), "revision01");
}

TEST(Examine, TellsTheFacts) {
    const auto text = e7::map_text(tests::map_of({{"@.$#$", "...#.", "...##"}, {}, {}, 7}));
    EXPECT_EQ(fact(text, "size"), "3 x 5");
    EXPECT_EQ(fact(text, "type"), "type-2");
    EXPECT_EQ(fact(text, "turns"), "7");
    EXPECT_EQ(fact(text, "scraps"), "2, worth 10");
    EXPECT_EQ(fact(text, "ghosts"), "none");
    EXPECT_EQ(fact(text, "reachable"), "2 of 2");
    EXPECT_EQ(fact(text, "attainable"), "10");
    EXPECT_EQ(fact(text, "attainable is"), "exact, in 4 turns");
    const auto walled =
        e7::map_text(tests::map_of({{"@.$...", "...#..", "..#$#.", "...#a."}, {"b0R"}, {}, 7}));
    EXPECT_EQ(fact(walled, "reachable"), "1 of 2, not [3, 4]");
    EXPECT_EQ(fact(walled, "type"), "type-3");
    EXPECT_EQ(fact(walled, "ghosts"), "backandforth of transparency 0");
    EXPECT_EQ(fact(walled, "attainable is"), "exact but for the ghosts, in 2 turns");
}

TEST(Examine, SaysWhereAMapIsWrong) {
    struct Case {
        std::string text;
        std::size_t line;
        std::string member;
    };
    const std::vector<Case> cases = {
        {"", 1, "map"},
        {"{\n\"grid\": [[0,0],\n[0,]]}", 3, "map"},
        {"5", 1, "map"},
        {"{\n\"grid\": [[0, 0],\n[0, -2]],\n\"player\": 0, \"scraps\": 0, \"ghosts\": 0, "
         "\"remaining_turns\": 0}",
         3, "grid[1][1]"},
        {"{\n\"grid\": [[0, 0]],\n\"player\": 0,\n \"scraps\": 0, \"ghosts\": 0, "
         "\"remaining_turns\": 0}",
         3, "player"},
        {"{\n\n\"nebula\": 5}", 3, "nebula"},
    };
    for (const auto& one : cases) {
        const auto answer = maps().examine(one.text);
        ASSERT_FALSE(answer) << one.text;
        const auto& error = answer.error();
        EXPECT_EQ(error.line, one.line) << one.text;
        EXPECT_EQ(error.member, one.member) << one.text;
        EXPECT_FALSE(error.message.empty());
    }
}

constexpr std::uint32_t seeds = 30;
// Of the first seeds.
constexpr std::pair<std::size_t, std::size_t> sizes[] = {
    {e7::generated_side_min, e7::generated_side_min},
    {e7::generated_side_min, e7::generated_side_max},
    {e7::generated_side_max, e7::generated_side_max},
    {17, 9},
};

std::string generated(const engines::GenerateRequest& request) {
    const auto answer = maps().generate(request);
    EXPECT_TRUE(answer) << request.type << " " << request.seed;
    return answer.value_or("");
}

TEST(Generator, MakesMapsOfTheTypeAndSizeAskedFor) {
    for (const std::string type : {"beta", "type-1", "type-2", "type-3"}) {
        std::set<std::string> different;
        for (std::uint32_t seed = 0; seed < seeds; ++seed) {
            engines::GenerateRequest request{type, seed, {}, {}};
            if (seed < std::size(sizes)) std::tie(request.rows, request.columns) = sizes[seed];
            const auto text = generated(request);
            const auto read = e7::read_map_text(text);
            ASSERT_TRUE(read) << text;
            const auto& map = *read;
            if (request.rows) {
                EXPECT_EQ(map.rows, static_cast<int>(*request.rows));
                EXPECT_EQ(map.columns, static_cast<int>(*request.columns));
            }
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

TEST(Generator, GivesTheSameMapAgain) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        EXPECT_EQ(generated({"type-3", seed, {}, {}}), generated({"type-3", seed, {}, {}}));
    }
    // On every machine, too: a map as it was made once. It also ships.
    EXPECT_EQ(generated({"type-3", 1, {}, {}}), *maps().text("type3_01"));
    EXPECT_EQ(generated({"type-2", 12, {}, {}}), *maps().text("type2_12"));
    EXPECT_EQ(generated({"type-1", 7, {}, {}}), *maps().text("type1_07"));
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
        const auto answer = maps().generate(one.request);
        ASSERT_FALSE(answer);
        const auto& error = answer.error();
        EXPECT_EQ(error.member, one.member);
        EXPECT_NE(error.message.find(one.message_part), std::string::npos) << error.message;
    }
}

}  // namespace
