// What is read of a tournament's standings for a step that gives points by place.

#include <gtest/gtest.h>

#include "referee/grading/judging.h"
#include "tests/folder_of_test.h"

namespace referee::grading {
namespace {

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
    EXPECT_TRUE(absent.place_known && !absent.place);
}

TEST(PlacesInStandings, ThatAreNoneAreRefused) {
    const tests::FolderOfTest folder;
    EXPECT_TRUE(Places().read(folder.write("a.json", R"({"bots": []})")).ends_with(" is none"));
    EXPECT_TRUE(Places()
                    .read(folder.write("b.json", R"({"bots": [{"name": "ann"}]})"))
                    .ends_with("expected a \"name\" and a \"rank\" in each row"));
}

}  // namespace
}  // namespace referee::grading
