// "submissions" of a config: what is read, what is found, and every mistake in it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/referee/config/mistake.h"
#include "tests/referee/config/reading.h"

namespace referee::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string registered = R"("registration": {"password": "open sesame"}, )";
const std::string ladders =
    R"("tournaments": [{"id": "p", "game": "walls", "format": {"kind": "ladder"}},
                       {"id": "f", "game": "snake_labyrinth", "params": {"maze": "handout"}, "bots": ["a", "b"]}])";

Config with(const std::string& submissions) {
    return good("{" + registered + R"("bots": [{"name": "a"}, {"name": "b"}], "submissions": )" +
                submissions + ", " + ladders + "}");
}

TEST(SubmissionsConfigTest, HasDefaults) {
    const auto config = with("{}");
    ASSERT_TRUE(config.submissions);
    const auto& read = *config.submissions;
    EXPECT_THAT(read.games, ElementsAre("walls")) << "those of the ladders";
    EXPECT_EQ(read.archive_mb, 8U);
    EXPECT_EQ(read.per_hour, 10U);
    EXPECT_EQ(read.versions, 5U);
    EXPECT_EQ(read.build_within, std::chrono::minutes(2));
    EXPECT_EQ(read.build_memory_mb, 2048U);
    EXPECT_EQ(read.kind, nullptr);
    EXPECT_THAT(config.warnings, IsEmpty());
    EXPECT_FALSE(good("{" + ladders.substr(0, ladders.find(",\n")) + "]}").submissions);
}

TEST(SubmissionsConfigTest, AllItsMembersAreRead) {
    const auto config = with(
        R"({"games": ["snake_labyrinth"], "build": "make", "build_in": "iap", "run": ["./iap", "-x"],
            "kind": "snake", "archive_mb": 2, "per_hour": 3, "versions": 4, "build_within": "5s",
            "build_memory_mb": 512, "start_within": "7s", "memory_mb": 100, "processes": 9, "disk_mb": 8})");
    const auto& read = *config.submissions;
    EXPECT_THAT(read.games, ElementsAre("snake_labyrinth"));
    EXPECT_EQ(read.build, "make");
    EXPECT_EQ(read.build_in, "iap");
    EXPECT_THAT(read.run, ElementsAre("./iap", "-x"));
    ASSERT_NE(read.kind, nullptr);
    EXPECT_EQ(read.kind->game, "snake_labyrinth");
    EXPECT_EQ(read.archive_mb, 2U);
    EXPECT_EQ(read.per_hour, 3U);
    EXPECT_EQ(read.versions, 4U);
    EXPECT_EQ(read.build_within, std::chrono::seconds(5));
    EXPECT_EQ(read.build_memory_mb, 512U);
    EXPECT_EQ(read.program.start_within, std::chrono::seconds(7));
    EXPECT_EQ(read.program.memory_mb_max, 100U);
    EXPECT_EQ(read.program.processes_max, 9U);
    EXPECT_EQ(read.program.disk_mb_max, 8U);
}

TEST(SubmissionsConfigTest, WarnsWhereNobodyCanHandIn) {
    const auto config = good(
        R"({"submissions": {}, "tournaments": [{"id": "p", "game": "walls", "format": {"kind": "ladder"}}]})");
    EXPECT_THAT(config.warnings, ::testing::Contains(HasSubstr("nobody can hand in a program")));
}

TEST(SubmissionsConfigTest, Mistakes) {
    check(
        "{" + registered + R"("bots": [{"name": "a"}, {"name": "b"}],)",
        {
            {R"("submissions": 5)", "submissions", "expected an object"},
            {R"("submissions": {"games": "walls"})", "submissions.games", "expected a list"},
            {R"("submissions": {"games": ["superball"]})", "submissions.games",
             "no tournament of this config plays \"superball\""},
            {R"("submissions": {"kind": "cobol"})", "submissions.kind", "expected one of these"},
            {R"("submissions": {"kind": "octave"})", "submissions.kind", "plays e7_planets alone"},
            {R"("submissions": {"archive_mb": 0})", "submissions.archive_mb", "from 1 to 256"},
            {R"("submissions": {"per_hour": 1001})", "submissions.per_hour", "from 1 to 1000"},
            {R"("submissions": {"versions": 0})", "submissions.versions", "from 1 to 100"},
            {R"("submissions": {"build_within": "10ms"})", "submissions.build_within",
             "at least a second"},
            {R"("submissions": {"build_memory_mb": 1})", "submissions.build_memory_mb", "from 64"},
            {R"("submissions": {"start_within": 0})", "submissions.start_within",
             "more than no time"},
            {R"("submissions": {"memory_mb": 1})", "submissions.memory_mb", "from 16"},
            {R"("submissions": {"launch": ["x"]})", "submissions.launch", "no such member"},
        },
        "," + ladders + "}");
}

TEST(SubmissionsConfigTest, WithoutALadderTheGamesMustBeNamed) {
    check("{" + registered + R"("bots": [{"name": "a"}, {"name": "b"}],)",
          {{R"("submissions": {})", "submissions.games", "such as [\"walls\"]"}},
          R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

}  // namespace
}  // namespace referee::config
