// Mazes: the forms of their files, what ships, an instructor's own, and the generator.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using engines::GenerateRequest;
using nlohmann::json;
const engines::MapCollection& mazes = *tests::snake_game->maps();

std::map<std::string, std::string> facts_of(const engines::MapCollection& collection,
                                            std::string_view text) {
    const auto result = collection.examine(text);
    if (!result) {
        ADD_FAILURE() << result.error().line << " " << result.error().member << ": "
                      << result.error().message << "\n"
                      << text;
        return {};
    }
    std::map<std::string, std::string> facts;
    for (const auto& fact : *result) facts[fact.name] = fact.value;
    return facts;
}

TEST(MazeText, TheHandoutsFormIsReadAndExamined) {
    const auto facts = facts_of(mazes, "5\n3\n#####\no $ _\n#####\n");
    EXPECT_EQ(facts.at("size"), "3 x 5");
    EXPECT_EQ(facts.at("level"), "challenge1");
    EXPECT_EQ(facts.at("played at"), "challenge1");
    EXPECT_EQ(facts.at("exits"), "1");
    EXPECT_EQ(facts.at("reachable exits"), "1");
    EXPECT_EQ(facts.at("shortest way"), "4");
    EXPECT_EQ(facts.at("coins"), "1");
    EXPECT_EQ(facts.at("mishaps"), "0");
    EXPECT_EQ(facts.at("drills"), "0");
}

TEST(MazeText, OtherSpellingsOfTheSame) {
    const auto expected = facts_of(mazes, "5\n3\n#####\no $ _\n#####\n");
    for (const auto* text :
         {"5\n3\n#####\no $ _\n#####", "5\r\n3\r\n#####\r\no $ _\r\n#####\r\n",
          "5 3\n#####\no $ _\n#####\n", "\n 5 \n3 \n#####\no $ _\n#####\n \n\n",
          "#####\no $ _\n#####", "\n \n#####\r\no $ _\r\n#####\r\n\n   \n",
          R"({"board": ["#####", "o $ _", "#####"]})",
          "  {\"board\": [\"#####\",\n \"o $ _\", \"#####\"],\n \"level\": \"challenge1\"}\n"}) {
        EXPECT_EQ(facts_of(mazes, text), expected) << text;
    }
}

TEST(MazeText, RowsMayBeginAndEndWithSpaces) {
    EXPECT_EQ(facts_of(mazes, "4\n2\n  o \n   _\n").at("shortest way"), "2");
    EXPECT_EQ(facts_of(mazes, "4\n2\n    \n  o_\n").at("level"), "final");
    EXPECT_EQ(facts_of(mazes, "  o \n   _\n").at("shortest way"), "2");
    EXPECT_EQ(facts_of(mazes, "o   \n    \n   _\n").at("size"), "3 x 4");
}

TEST(MazeText, LevelIsTheNarrowestAndTheFilesOwnIsPlayed) {
    const auto facts = facts_of(
        mazes, R"({"level": "challenge3", "board": ["#######", "o   $ #", "# ! T _", "#######"]})");
    EXPECT_EQ(facts.at("level"), "challenge2");
    EXPECT_EQ(facts.at("played at"), "challenge3");
}

TEST(MazeText, ExitsBehindWallsAreNotReachable) {
    const auto facts = facts_of(mazes, "5\n3\n#_###\no # _\n##_##\n");
    EXPECT_EQ(facts.at("exits"), "3");
    EXPECT_EQ(facts.at("reachable exits"), "1");
    EXPECT_EQ(facts_of(mazes, "5\n1\no ##_\n").at("shortest way"), "none without drilling");
}

struct BadText {
    std::string name, text;
    std::size_t line;
    std::string member, message_part;
};

TEST(MazeText, BadTextsAreRefusedByLineRowAndColumn) {
    const std::vector<BadText> cases = {
        {"nothing", "", 1, "columns", "expected the number of columns, 1 to 256"},
        {"words", "a maze", 1, "columns", "expected the number of columns"},
        {"negative", "-5\n3\n", 1, "columns", "expected the number of columns"},
        {"zero", "0\n3\n", 1, "columns", "expected the number of columns"},
        {"too many columns", "257\n3\n", 1, "columns", "1 to 256"},
        {"no rows", "5\n", 2, "rows", "expected the number of rows"},
        {"too many rows", "5\n257\n", 2, "rows", "1 to 256"},
        {"number beyond 64 bits", "99999999999999999999\n3\n", 1, "columns", "expected the number"},
        {"more on the line", "5\n3 #####\no $ _\n#####\n", 2, "rows", "nothing more on the line"},
        {"too few rows", "5\n3\n#####\no $ _\n", 5, "row 2", "expected 3 rows, and here are 2"},
        {"too many lines", "5\n2\n#####\no $ _\n#####\n", 5, "row 2", "no more than 2 rows"},
        {"a short row", "5\n3\n#####\no $_\n#####\n", 4, "row 1",
         "expected 5 cells, and here are 4"},
        {"a long row", "5\n3\n#####\no $ _ \n#####\n", 4, "row 1",
         "expected 5 cells, and here are 6"},
        {"an unknown cell", "5\n3\n#####\no x _\n#####\n", 4, "board",
         "row 1, column 2: 'x' is no cell"},
        {"bytes", "2\n1\n\xff_\n", 3, "board", "row 0, column 0: the byte 0xFF is no cell"},
        {"no start", "5\n3\n#####\n# $ _\n#####\n", 0, "board", "exactly one start"},
        {"no exit", "5\n3\n#####\no $ #\n#####\n", 0, "board", "at least one exit"},
        {"a short row of rows alone", "\n#####\no $_\n#####\n", 3, "row 1",
         "expected 5 cells as in the first row, and here are 4"},
        {"an unknown cell in rows alone", "\n#####\no x _\n#####\n", 3, "board", "'x' is no cell"},
        {"no exit in rows alone", "#####\no $ #\n#####\n", 0, "board", "at least one exit"},
        {"bad JSON", "{\"board\": [\n\"o_\",]}", 2, "", ""},
        {"other member", R"({"board": ["o_"], "name": "x"})", 0, "name",
         "no such member here; expected \"board\", \"level\""},
        {"no board", R"({"level": "final"})", 0, "board", "found nothing"},
        {"board of numbers", R"({"board": [1]})", 0, "board[0]", "found 1"},
        {"unknown level", R"({"board": ["o_"], "level": "easy"})", 0, "level",
         "expected one of \"challenge1\""},
        {"broken promise", R"({"board": ["#####", "o # _", "#####"], "level": "challenge1"})", 0,
         "board", "row 1, column 2: inside there are only spaces"},
    };
    for (const auto& one : cases) {
        const auto result = mazes.examine(one.text);
        ASSERT_FALSE(result) << one.name;
        EXPECT_EQ(result.error().line, one.line) << one.name << ": " << result.error().message;
        EXPECT_EQ(result.error().member, one.member) << one.name;
        EXPECT_NE(result.error().message.find(one.message_part), std::string::npos)
            << one.name << ": " << result.error().message;
    }
}

TEST(Shipped, SeveralForEachLevelAndTheHandoutsFirst) {
    std::map<std::string, int> mazes_by_level;
    for (const auto& name : mazes.names()) {
        const auto params = json::parse(mazes.params_for_map(name));
        EXPECT_EQ(params.at("maze"), name);
        ++mazes_by_level[params.at("level")];
        EXPECT_TRUE(tests::start(*tests::snake_game, params.dump())) << name;
        const auto facts = facts_of(mazes, mazes.text(name).value());
        EXPECT_EQ(facts.at("played at"), params.at("level"));
        EXPECT_NE(facts.at("reachable exits"), "0") << name;
    }
    EXPECT_EQ(mazes.names().front(), "handout");
    for (const auto* level : {"challenge1", "challenge2", "challenge3", "final"}) {
        EXPECT_GE(mazes_by_level[level], 4) << level;
    }
}

// Whoever changes a maze, a name or the order changes the version with it, and this.
TEST(Shipped, VersionGoesWithTheTexts) {
    EXPECT_EQ(mazes.version(), "1");
    EXPECT_EQ(tests::checksum_of(mazes), 17582432735752168822U);
}

TEST(OwnMazes, HideShippedOnesAndComeLast) {
    const auto own = engines::snake_labyrinth::make_game(
        {.maps = {{"mine", "2\n1\no_\n"},
                  {"handout", R"({"board": ["o _"], "level": "final"})"},
                  {"broken", "5"}}});
    const auto& collection = *own->maps();
    auto names = collection.names();
    ASSERT_GE(names.size(), 3U);
    EXPECT_EQ(std::count(names.begin(), names.end(), "handout"), 1);
    EXPECT_EQ(std::vector<std::string>(names.end() - 3, names.end()),
              (std::vector<std::string>{"mine", "handout", "broken"}));
    EXPECT_EQ(tests::state_json(*tests::start(*own, R"({"maze": "mine"})")).at("board"),
              json::array({" _"}));
    EXPECT_EQ(tests::state_json(*tests::start(*own, R"({"maze": "handout"})")).at("board"),
              json::array({"  _"}));
    const auto accepted = tests::accepts(*own, R"({"maze": "broken"})");
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error().member, "params.maze");
    EXPECT_NE(accepted.error().message.find("line 1: rows: expected the number of rows"),
              std::string::npos)
        << accepted.error().message;
    EXPECT_EQ(collection.params_for_map("broken"), R"({"maze":"broken"})");
    EXPECT_FALSE(collection.text("nowhere"));
}

TEST(OwnMazes, MayHaveAVersionOfTheirOwn) {
    const engines::MapFile mine{"mine", "2\n1\no_\n"};
    const auto with = engines::snake_labyrinth::make_game({{mine}, "autumn"});
    EXPECT_EQ(with->maps()->version(), "autumn");
    const auto without = engines::snake_labyrinth::make_game({{mine}});
    EXPECT_EQ(without->maps()->version(), mazes.version());
}

TEST(Generator, KeepsTheLevelsPromiseAndAWayOut) {
    for (const auto* level : {"challenge1", "challenge2", "challenge3", "final"}) {
        for (std::uint32_t seed = 1; seed <= 60; ++seed) {
            GenerateRequest request{level, seed, {}, {}};
            if (seed % 3 != 0) request.rows = 5 + seed % 17;
            if (seed % 5 != 0) request.columns = 5 + seed % 23;
            const auto result = mazes.generate(request);
            ASSERT_TRUE(result) << level << " " << seed;
            const auto& text = *result;
            const auto facts = facts_of(mazes, text);
            EXPECT_EQ(facts.at("played at"), level) << text;
            EXPECT_EQ(facts.at("reachable exits"), facts.at("exits")) << text;
            if (request.rows && request.columns) {
                EXPECT_EQ(facts.at("size"),
                          std::to_string(*request.rows) + " x " + std::to_string(*request.columns));
            }
            EXPECT_EQ(mazes.generate(request).value(), text);
            ++request.seed;
            EXPECT_NE(mazes.generate(request).value(), text);
        }
    }
}

TEST(Generator, LargestAndSmallest) {
    for (const auto* level : {"challenge1", "challenge2", "challenge3", "final"}) {
        EXPECT_EQ(facts_of(mazes, mazes.generate({level, 7, 256, 256}).value()).at("size"),
                  "256 x 256");
        EXPECT_EQ(facts_of(mazes, mazes.generate({level, 7, 5, 5}).value()).at("size"), "5 x 5");
    }
}

TEST(Generator, RefusesByName) {
    const std::vector<std::pair<GenerateRequest, std::string>> cases = {
        {{"type-1", 1, {}, {}}, "type"},       {{"", 1, {}, {}}, "type"},
        {{"final", 1, 4, {}}, "rows"},         {{"final", 1, 257, {}}, "rows"},
        {{"challenge1", 1, {}, 0}, "columns"}, {{"challenge1", 1, {}, 100000}, "columns"},
    };
    for (const auto& [request, member] : cases) {
        const auto result = mazes.generate(request);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().member, member);
        EXPECT_NE(result.error().message.find("expected"), std::string::npos);
    }
}

TEST(Generator, GivesTheSameOnEveryMachine) {
    EXPECT_EQ(mazes.generate({"final", 3, 7, 13}).value(),
              "13\n7\n"
              "#############\n"
              "#    $    # #\n"
              "# ##### # # #\n"
              "#       #   o\n"
              "####### ### #\n"
              "#           #\n"
              "#_########_##\n");
}

}  // namespace
