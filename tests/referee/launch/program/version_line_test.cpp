#include "referee/launch/program/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/folder_of_test.h"

namespace referee::program {
namespace {

// A script that stands for an interpreter. It lies where nobody may read it too.
class VersionLine : public testing::Test {
 protected:
    VersionLine() { chmod(folder.c_str(), 0777); }

    std::string told_by(const std::string& script) const {
        const auto path = made.write("program", "#!/bin/sh\n" + script + '\n');
        chmod(path.c_str(), 0755);
        const auto line = version_line(path);
        if (!line) return "trouble: " + line.error().message;
        return line->value_or("nothing");
    }

    const tests::FolderOfTest made;
    const std::string& folder = made.path;
};

TEST_F(VersionLine, IsTheFirstLineOfEitherStream) {
    EXPECT_EQ(told_by(R"([ "$*" = --version ] && echo "Bot 1.0"; echo more)"), "Bot 1.0");
    EXPECT_EQ(told_by("echo Bot 2.0 >&2"), "Bot 2.0");
    EXPECT_EQ(told_by("printf 'Bot 3'"), "Bot 3");
    EXPECT_EQ(told_by("printf '%0300d' 7"), std::string(200, '0'));
}

TEST_F(VersionLine, IsNothingWhereTheProgramHasNone) {
    EXPECT_EQ(told_by("exit 0"), "nothing");
    EXPECT_EQ(told_by("echo no; exit 2"), "nothing");
    EXPECT_EQ(told_by("echo no; kill -9 $$"), "nothing");
    EXPECT_EQ(told_by("exec yes"), "nothing");
    EXPECT_EQ(version_line(folder + "/missing").value(), std::nullopt);
}

TEST_F(VersionLine, GivesTheProgramLittle) {
    EXPECT_EQ(told_by("cat; pwd"), "/");
    EXPECT_EQ(told_by("env | sort | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | tr '\\n' ' '"),
              "HOME=/ LC_ALL=C PATH=/usr/local/bin:/usr/bin:/bin ");
    EXPECT_EQ(told_by("ls /proc/self/fd | tr '\\n' ' '"), "0 1 2 3 ") << "3 is what ls reads";
    if (geteuid() == 0) {
        EXPECT_EQ(told_by("id -u; id -G"), "65534");
    }
}

// That all which it started is killed then is tested of the command that asks for it.
TEST_F(VersionLine, WaitsForNobody) {
    using testing::HasSubstr;
    // time: a program that ends much later than it may
    EXPECT_THAT(told_by("sleep 100"), HasSubstr("did not end within 2 s; expected a line"));
    // time: a child that outlives it and holds the output open
    EXPECT_THAT(told_by("echo Bot 1.0; sleep 100 & exit 0"), HasSubstr("did not end within 2 s"));
}

}  // namespace
}  // namespace referee::program
