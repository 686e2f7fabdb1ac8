#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <filesystem>

#include "referee/launch/program/program.h"
#include "tests/folder_of_test.h"

// What a program's name tells is recomputed in recomputed_test.py. Here is what it remembers, never
// does, and can't name.

namespace referee::program {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class BotProgram : public testing::Test {
 protected:
    BotProgram() {
        write("alice/bot", "one");
        fs::permissions(place / "alice/bot", fs::perms::owner_all);
    }
    void write(const std::string& path, const std::string& text) const { made.write(path, text); }
    ProgramLaunch alices() const {
        const auto folder = (place / "alice").string();
        return {{"./bot", "--fast"}, folder, folder, "/usr/bin:/bin"};
    }
    std::string name_of(const ProgramLaunch& launch) {
        const auto name = programs.identify(launch);
        return name ? *name : "trouble: " + name.error();
    }

    const tests::FolderOfTest made;
    const fs::path place{made.path};
    Programs programs;
};

TEST_F(BotProgram, OfAKindWhoseInterpreterIsNotThereIsAsWithoutOne) {
    auto launch = alices();
    launch.kind = "octave-function";
    const auto name = name_of(launch);
    launch.interpreter = "no-such-program-anywhere";
    EXPECT_EQ(name_of(launch), name) << "its launch will tell";
}

TEST_F(BotProgram, SeesAChangeThatComesAtOnceAndKeepsTheSize) {
    const auto name = name_of(alices());
    write("alice/bot", "two");
    EXPECT_NE(name_of(alices()), name);
    write("alice/bot", "one");
    EXPECT_EQ(name_of(alices()), name);
}

TEST_F(BotProgram, SeesAChangeOfAFileThatItRemembers) {
    timespec long_ago[2] = {{.tv_sec = 1'000'000'000, .tv_nsec = 0},
                            {.tv_sec = 1'000'000'000, .tv_nsec = 0}};
    const auto file = (place / "alice/bot").string();
    const auto name = name_of(alices());
    // time: its change is remembered once it is a while ago by the file system's own clock
    usleep(Programs::settled_ns / 1000 + 100'000);
    EXPECT_EQ(name_of(alices()), name);
    EXPECT_EQ(name_of(alices()), name);
    write("alice/bot", "two");
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), long_ago, 0), 0);
    const auto changed = name_of(alices());
    EXPECT_NE(changed, name);
    write("alice/bot", "one");
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), long_ago, 0), 0);
    EXPECT_EQ(name_of(alices()), name) << "the time that a program sets says nothing";
}

TEST_F(BotProgram, NeverRunsAProgramThatIsNotTheSystems) {
    const auto trace = (place / "it_ran").string();
    write("evil/run", "#!/bin/sh\ntouch " + trace + "\necho 1.0\n");
    fs::permissions(place / "evil/run", fs::perms::all);
    auto launch = alices();
    launch.command = {(place / "evil/run").string()};
    const auto name = name_of(launch);
    EXPECT_FALSE(fs::exists(trace));
    write("evil/run", "#!/bin/sh\n");
    EXPECT_NE(name_of(launch), name);
}

TEST_F(BotProgram, OfACommandThatIsNotThereIsItsWords) {
    auto launch = alices();
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"no-such-program-anywhere"}, {""}, {}}) {
        launch.command = words;
        EXPECT_THAT(name_of(launch), testing::StartsWith("sha256:")) << words.size();
    }
}

TEST_F(BotProgram, IsTroubleWhereThereIsASocketAPipeOrADevice) {
    const auto socket_path = (place / "alice/talk").string();
    const int socket_number = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(socket_path.size(), sizeof(address.sun_path));
    socket_path.copy(address.sun_path, socket_path.size());
    ASSERT_EQ(bind(socket_number, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_THAT(name_of(alices()), HasSubstr("alice/talk is a socket; expected only files"));
    close(socket_number);
    fs::remove(socket_path);

    ASSERT_EQ(mkfifo((place / "alice/lib").c_str(), 0600), 0);
    EXPECT_THAT(name_of(alices()), HasSubstr("alice/lib is a named pipe"));
    fs::remove(place / "alice/lib");

    if (mknod((place / "alice/null").c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0)
        GTEST_SKIP() << "devices are made by root alone";
    EXPECT_THAT(name_of(alices()), HasSubstr("alice/null is a device"));
}

TEST_F(BotProgram, IsTroubleWhereItCantBeRead) {
    auto launch = alices();
    launch.folder = (place / "nobody").string();
    EXPECT_THAT(name_of(launch), AllOf(HasSubstr("nobody can't be read: No such file or directory"),
                                       HasSubstr("chmod")));
}

TEST_F(BotProgram, IsTroubleWhereItIsTooMuch) {
    const auto large = (place / "alice/large").string();
    write("alice/large", "");
    ASSERT_EQ(truncate(large.c_str(), bytes_max + 1), 0);
    EXPECT_THAT(name_of(alices()), HasSubstr("alice/large is more than can be read"));
    fs::remove(large);

    auto deep = place / "alice";
    for (std::size_t depth = 0; depth < depth_max; ++depth) deep /= "d";
    fs::create_directories(deep);
    EXPECT_THAT(name_of(alices()), HasSubstr("expected a bot's program in at most 64 folders"));
    fs::remove_all(place / "alice/d");

    // One file by so many names costs no room.
    for (std::size_t i = 0; i < entries_max; ++i)
        fs::create_hard_link(place / "alice/bot", place / "alice" / std::to_string(i));
    EXPECT_THAT(name_of(alices()), HasSubstr("alice has more than 20000 files"));
    fs::remove(place / "alice/0");
    EXPECT_THAT(name_of(alices()), testing::StartsWith("sha256:"));
}

// A script that stands for an interpreter. It lies where nobody may read it too.
class VersionLine : public testing::Test {
 protected:
    VersionLine() { chmod(folder.c_str(), 0777); }

    std::string told_by(const std::string& script) const {
        const auto path = made.write("program", "#!/bin/sh\n" + script + '\n');
        chmod(path.c_str(), 0755);
        const auto line = version_line(path);
        if (!line) return "trouble: " + line.error();
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
    // time: a program that ends much later than it may
    EXPECT_THAT(told_by("sleep 100"), HasSubstr("did not end within 2 s; expected a line"));
    // time: a child that outlives it and holds the output open
    EXPECT_THAT(told_by("echo Bot 1.0; sleep 100 & exit 0"), HasSubstr("did not end within 2 s"));
}

}  // namespace

}  // namespace referee::program
