// A config that names a roster, and "submissions" of a config: what is read, and every mistake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "referee/config/read_config.h"
#include "tests/folder_of_test.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RegistrationFiles : public ::testing::Test {
 protected:
    std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
        auto path = made.write(name, text);
        EXPECT_EQ(chmod(path.c_str(), mode), 0);
        return path;
    }
    static std::string config_with(const std::string& registration, const std::string& bot_list) {
        return "{\"registration\": " + registration + ",\n\"bots\": [" + bot_list +
               R"(], "tournaments": [{"id": "t", "game": "walls", "format": {"kind": "ladder"}}]})";
    }
    // What is wrong, each with the file's name before it.
    std::vector<std::string> wrong(const std::string& registration,
                                   const std::string& bot_list) const {
        const auto read =
            read_config(config_with(registration, bot_list), folder + "/c.json", folder);
        std::vector<std::string> found;
        if (read) return found;
        for (const auto& error : read.error()) {
            EXPECT_EQ(error.member, "registration.roster");
            EXPECT_EQ(error.line, 1U);
            found.push_back(error.message);
        }
        return found;
    }
    const tests::FolderOfTest made;
    const std::string& folder = made.path;
};

TEST_F(RegistrationFiles, AllItsMembersAreRead) {
    const auto file = write("students.csv", "name,token\nann,plum-4242\n");
    const auto read = read_config(
        config_with(R"({"password": "open sesame", "approval": true, "per_address_per_hour": 7,
                       "total": 70, "roster": "students.csv"})",
                    ""),
        "c.json", folder);
    ASSERT_TRUE(read) << describe(read.error().front(), "c.json");
    const auto& registration = read->registration;
    EXPECT_EQ(registration.password, "open sesame");
    EXPECT_TRUE(registration.approval);
    EXPECT_EQ(registration.per_address_per_hour, 7U);
    EXPECT_EQ(registration.total, 70U);
    EXPECT_EQ(registration.roster_file, file);
    ASSERT_TRUE(registration.class_roster);
    EXPECT_NE(registration.class_roster->named("ann"), nullptr);
    EXPECT_THAT(read->warnings, IsEmpty());
}

TEST_F(RegistrationFiles, TheRostersMistakesAreTheConfigs) {
    write("students.csv", "name,email\nann,x\nann,\n");
    EXPECT_THAT(wrong(R"({"roster": "students.csv"})", ""),
                ElementsAre(HasSubstr("students.csv:2: email: expected an address"),
                            HasSubstr("students.csv:3: name: \"ann\" stands in line 2 too")));
}

TEST_F(RegistrationFiles, TheRosterIsHeldAgainstTheBots) {
    write("students.csv", "name,token\nBob,\nann,plum-4242\ncarl,pear-4242\n");
    EXPECT_THAT(
        wrong(R"({"password": "x", "roster": "students.csv"})",
              R"({"name": "bob"}, {"name": "ann", "token": "fig-4242"}, {"name": "carl"})"),
        ElementsAre(HasSubstr("students.csv:2: name: \"Bob\" looks like the config's bot \"bob\""),
                    HasSubstr("students.csv:3: token: \"ann\" has a token here and in \"bots\"")));
}

TEST_F(RegistrationFiles, ATokenIsNoShorterThanOneThatIsRegistered) {
    const auto read =
        read_config(config_with(R"({"password": "x"})", R"({"name": "bob", "token": "fig-424"})"),
                    "c.json", "/");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().front().member, "bots[0].token");
    EXPECT_THAT(read.error().front().message, HasSubstr("expected at least 8 bytes"));
}

TEST_F(RegistrationFiles, WhoeverCantLogInIsToldOf) {
    write("students.csv", "name,token\nann,plum-4242\nbob,\ncarl,\n");
    const auto read =
        read_config(config_with(R"({"roster": "students.csv"})", ""), "c.json", folder);
    ASSERT_TRUE(read);
    EXPECT_THAT(read->warnings, ElementsAre(HasSubstr("2 rows of " + folder)));
}

TEST_F(RegistrationFiles, FilesWithSecretsThatEverybodyCanReadAreWarnedOf) {
    const auto text = config_with(R"({"password": "x", "roster": "students.csv"})", "");
    const std::map<mode_t, std::size_t> cases{{0600, 0}, {0640, 0}, {0604, 2}, {0644, 2}};
    for (const auto& [mode, warnings] : cases) {
        write("students.csv", "name,token\nann,plum-4242\n", mode);
        const auto read = read_config_file(write("c.json", text, mode));
        ASSERT_TRUE(read);
        EXPECT_EQ(read->warnings.size(), warnings) << mode;
    }
    const auto sample =
        read_config_file(write("sample.json", config_with(R"({"password": "change me"})", "")));
    ASSERT_TRUE(sample);
    EXPECT_THAT(sample->warnings, ElementsAre(HasSubstr("expected a secret of yours")));
    // A config without any secret may be read by everybody.
    const auto open = read_config_file(write(
        "open.json",
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls"}]})",
        0644));
    ASSERT_TRUE(open);
    EXPECT_THAT(open->warnings, IsEmpty());
}

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
    check("{" + registered + R"("bots": [{"name": "a"}, {"name": "b"}],)", R"rows(
        "submissions": {"games": ["superball"]}
            -> submissions.games: no tournament of this config plays "superball"
        "submissions": {"kind": "cobol"} -> submissions.kind: expected one of these
        "submissions": {"kind": "octave"} -> submissions.kind: plays e7_planets alone
        "submissions": {"build_within": "10ms"} -> submissions.build_within: at least a second
        "submissions": {"start_within": 0} -> submissions.start_within: more than no time
    )rows",
          "," + ladders + "}");
}

TEST(SubmissionsConfigTest, WithoutALadderTheGamesMustBeNamed) {
    check("{" + registered + R"("bots": [{"name": "a"}, {"name": "b"}],)", R"rows(
        "submissions": {} -> submissions.games: such as ["walls"]
    )rows",
          R"(,"tournaments": [{"id": "t", "game": "walls"}]})");
}

}  // namespace

}  // namespace referee::config
