// A config that names a roster: the two are held against each other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "referee/config/reader.h"

namespace referee::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RegistrationFiles : public ::testing::Test {
 protected:
    RegistrationFiles() {
        std::string pattern = (std::filesystem::temp_directory_path() / "roster-XXXXXX").string();
        folder = mkdtemp(pattern.data());
    }
    ~RegistrationFiles() override { std::filesystem::remove_all(folder); }

    std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
        const auto path = folder + "/" + name;
        std::ofstream(path) << text;
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
    std::string folder;
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
    // A config without any secret may be read by everybody.
    const auto open = read_config_file(write(
        "open.json",
        R"({"bots": [{"name": "a"}, {"name": "b"}], "tournaments": [{"id": "t", "game": "walls"}]})",
        0644));
    ASSERT_TRUE(open);
    EXPECT_THAT(open->warnings, IsEmpty());
}

}  // namespace
}  // namespace referee::config
