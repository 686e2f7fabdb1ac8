#include "referee/cluster/machines/batch_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/folder_of_test.h"

namespace referee::machines {
namespace {

using ::testing::HasSubstr;
using tests::FolderOfTest;

BatchCommands commands(const FolderOfTest& at, const std::string& command,
                       const std::string& list = {}) {
    config::MachinesConfig config;
    config.submit = config.cancel = command;
    config.list = list.empty() ? command : list;
    config.directory = at.path;
    config.folder = "/a shared";
    return {std::move(config), "/usr/bin/referee"};
}

std::string text_of(const std::string& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(CommandsTest, SubmitAndCancelAreGivenFoldersAndWhatTheyNeed) {
    const FolderOfTest at;
    auto tried = commands(at,
                          "printf '%s|' \"$REFEREE\" \"$REFEREE_FOLDER\" \"$REFEREE_CORES\" "
                          "\"$REFEREE_TIME_MAX_S\" \"$REFEREE_AVOID\" >told; printf '<%s>' >>told");
    ASSERT_TRUE(tried.submit({1, 2}, {3, std::chrono::seconds(77), "lab07,lab08"}));
    EXPECT_EQ(text_of(at.path + "/told"),
              "/usr/bin/referee|/a shared|3|77|lab07,lab08|"
              "</a shared/jobs/000001></a shared/jobs/000002>");
    ASSERT_TRUE(commands(at, "printf '<%s>' >told").cancel({17}));
    EXPECT_EQ(text_of(at.path + "/told"), "</a shared/jobs/000017>");
}

TEST(CommandsTest, ManyJobsAreSeveralCalls) {
    const FolderOfTest at;
    const std::vector<std::uint64_t> jobs(250, 1);
    ASSERT_TRUE(commands(at, "f() { echo $# >>told; }; f").submit(jobs, {}));
    EXPECT_EQ(text_of(at.path + "/told"), "100\n100\n50\n");
}

TEST(CommandsTest, ListIsReadLineByLine) {
    const FolderOfTest at;
    const auto seen =
        commands(
            at,
            "printf '000017 running node7 4711\\n18 waiting\\n19 waiting too few nodes \\n\\n' #")
            .list();
    ASSERT_TRUE(seen) << seen.error().reason;
    std::string told;
    for (const auto& job : *seen)
        told += std::to_string(job.number) + (job.begun ? " begun " : " waits ") + job.host + " " +
                job.id + job.because + "\n";
    EXPECT_EQ(told, "17 begun node7 4711\n18 waits  \n19 waits  too few nodes\n");
}

TEST(CommandsTest, AListThatIsNoneIsRefusedWithAnExample) {
    const FolderOfTest at;
    for (const auto* line : {"JOBID PARTITION", "17 gone", "17", "x17 running"}) {
        const auto seen = commands(at, "echo '" + std::string(line) + "' #").list();
        ASSERT_FALSE(seen) << line;
        EXPECT_FALSE(seen.error().passes);
        EXPECT_THAT(seen.error().reason, HasSubstr(line));
        EXPECT_THAT(seen.error().reason, HasSubstr("000017 running node7"));
    }
}

TEST(CommandsTest, TroubleTellsWhatTheCommandSaidAndWhetherItPasses) {
    const FolderOfTest at;
    struct Case {
        const char* command;
        bool passes;
        std::string words;
    };
    for (const auto& [command, passes, words] :
         std::vector<Case>{{"echo one >&2; echo 'queue is full' >&2; exit 75 #", true,
                            "status 75: queue is full"},
                           {"./no-such-script", false, "status 127: "},
                           {"kill -9 $$ #", true,
                            "status 137, and said nothing; try it in a terminal, in " + at.path}}) {
        const auto listed = commands(at, command).list();
        ASSERT_FALSE(listed) << command;
        EXPECT_EQ(listed.error().passes, passes) << command;
        EXPECT_THAT(listed.error().reason, HasSubstr(words));
    }
    std::filesystem::remove_all(at.path);
    EXPECT_THAT(commands(at, "true #").check({}, {}).error().reason,
                HasSubstr("can't be started in " + at.path));
}

TEST(CommandsTest, ACheckTellsWhatIsNoProgramAndRunsTheListAlone) {
    const FolderOfTest at;
    std::ofstream(at.path + "/text") << "touch told";
    std::ofstream(at.path + "/script") << "#!/bin/sh\ntouch told\n";
    std::filesystem::permissions(at.path + "/script", std::filesystem::perms::owner_all);
    const auto checked = [&](const std::string& submit) {
        const auto done = commands(at, submit, "true").check({}, {});
        return done ? std::string() : done.error().reason;
    };
    for (const auto* good : {"./script", "script=./script; $script", "sh ./script --fast"})
        EXPECT_EQ(checked(good), "");
    for (const auto* bad : {"./nowhere --fast", "./text", "no-such-program", "/tmp"})
        EXPECT_THAT(checked(bad), HasSubstr("\"submit\" of \"machines\" (" + std::string(bad) +
                                            ") can't be run: expected"));
    EXPECT_FALSE(std::filesystem::exists(at.path + "/told"));
}

}  // namespace
}  // namespace referee::machines
