#include <gtest/gtest.h>

#include "referee/grading/grade_files.h"
#include "referee/grading/submission/submission.h"
#include "tests/folder_of_test.h"

// What is read of a tournament's standings for a step that gives points by place, how deep files of
// a grading may nest, and what a machine is told to lack.

namespace referee::grading {
namespace {

// Standings with arrays and objects so many inside one another.
std::string of_depth(std::size_t depth) {
    return R"({"bots": [{"name": "ann", "rank": 1}], "more": )" + std::string(depth - 1, '[') +
           std::string(depth - 1, ']') + '}';
}

TEST(PlacesInStandings, TellWhoStandsAboveAndWithWhat) {
    const tests::FolderOfTest folder;
    Places places;
    ASSERT_EQ(places.read(folder.write("standings.json", R"({"tie_breaks": ["points"], "bots": [
        {"rank": 2, "name": "bob", "points": 7.5}, {"rank": 1, "name": "ann", "points": 9},
        {"rank": null, "name": "host", "house": true, "points": 8},
        {"rank": 2, "name": "cay", "points": 7.5}]})")),
              "");
    verdict::Played played;
    places.tell("cay", played);
    EXPECT_EQ(played.place, 2U);
    EXPECT_EQ(played.place_shared_by, 2U);
    EXPECT_EQ(played.placed, 3U) << "the house's bot has no place";
    EXPECT_EQ(played.place_by + ' ' + played.place_figure, "points 7.5");
    ASSERT_EQ(played.above.size(), 1U);
    EXPECT_EQ(played.above.front().name + ' ' + played.above.front().figure, "ann 9");
    verdict::Played absent;
    places.tell("dan", absent);
    EXPECT_TRUE(absent.place_known && !absent.place && !absent.place_open);
    Places open;
    open.read(
        folder.write("open.json", R"({"finished": false, "bots": [{"rank": 1, "name": "ann"}]})"));
    open.tell("ann", played);
    EXPECT_TRUE(played.place_open);
}

TEST(PlacesInStandings, ThatAreNoneAreRefused) {
    const tests::FolderOfTest folder;
    EXPECT_TRUE(Places().read(folder.write("a.json", R"({"bots": []})")).ends_with(" is none"));
    EXPECT_TRUE(Places()
                    .read(folder.write("b.json", R"({"bots": [{"name": "ann"}]})"))
                    .ends_with("expected a \"name\" and a \"rank\" in each row"));
    EXPECT_EQ(Places().read(folder.write("c.json", of_depth(32))), "");
    EXPECT_TRUE(Places().read(folder.write("d.json", of_depth(33))).ends_with(" is none"));
}

TEST(MissingPrograms, OfAFileItIsToldHowItIsNamed) {
    const auto lack_of = [](const std::string& word) {
        config::BotConfig bot;
        bot.launch = {word};
        return lack_of_machine(bot, "/usr/bin:/bin");
    };
    EXPECT_EQ(lack_of("no_such.py"),
              "there is no program 'no_such.py' here: expected a file of one's own with its path, "
              "such as \"./no_such.py\", or behind what runs it, such as \"python3 no_such.py\"");
    for (const std::string word : {"no-such-tool", "python9.11"})
        EXPECT_TRUE(lack_of(word).ends_with("\"apt-file search bin/" + word + "\" tells which"));
}

TEST(FilesOfAGrading, NestNoDeeperThanAMessage) {
    const tests::FolderOfTest folder;
    for (const std::size_t depth : {32U, 33U}) {
        folder.write("submission.json", of_depth(depth));
        const auto read = submission_in(folder.path);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().ends_with("is no JSON"), depth > 32) << read.error();
        const auto tries = Tries(folder.write("tries.json", of_depth(depth))).read();
        EXPECT_EQ(tries.ends_with("is no JSON"), depth > 32) << tries;
    }
}

}  // namespace
}  // namespace referee::grading
