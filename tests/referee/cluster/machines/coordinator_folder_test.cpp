#include "referee/cluster/machines/coordinator_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/folder_of_test.h"
#include "tests/referee/cluster/jobs/sample_job.h"

namespace referee::machines {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using tests::FolderOfTest;

CoordinatorFolder opened(const FolderOfTest& at, const std::string& run = "run") {
    auto folder = CoordinatorFolder::open(at.path, {"store", run});
    EXPECT_TRUE(folder) << folder.error();
    return *std::move(folder);
}

TEST(CoordinatorFolderTest, AnotherStoresFolderIsRefused) {
    const FolderOfTest at;
    const auto mine = opened(at);
    const auto other = CoordinatorFolder::open(at.path, {"other", "run2"});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error(), HasSubstr("holds the jobs of another store"));
    EXPECT_THAT(other.error(), HasSubstr("a folder of its own"));
    EXPECT_THAT(other.error(), HasSubstr("write \"store\" into machines.id again"));
    EXPECT_TRUE(mine.check_owner());
}

TEST(CoordinatorFolderTest, TheNextCoordinatorOfTheStoreTakesItOver) {
    const FolderOfTest at;
    auto first = opened(at, "run1");
    const auto second = opened(at, "run2");
    EXPECT_TRUE(second.check_owner());
    const auto lost = first.check_owner();
    ASSERT_FALSE(lost);
    EXPECT_THAT(lost.error(), HasSubstr("stop one of the two"));
    first.leave();
    EXPECT_TRUE(second.check_owner()) << "it isn't the first one's to leave";
    opened(at, "run3").leave();
    EXPECT_TRUE(CoordinatorFolder::open(at.path, {"other", "run4"})) << "now it is anybody's";
}

TEST(CoordinatorFolderTest, WhereNothingCanBeWrittenItSaysWhatToDo) {
    const FolderOfTest at;
    std::ofstream(at.path + "/file") << "x";
    const auto folder = CoordinatorFolder::open(at.path + "/file/jobs", {"store", "run"});
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error(), HasSubstr("a file system that all machines share"));
    // Root is asked by no modes; the kernel's own files are made by nobody.
    EXPECT_THAT(CoordinatorFolder::try_out("/proc/friday").error(),
                HasSubstr("/proc: No such file or directory; expected \"folder\" of \"machines\""));
}

TEST(CoordinatorFolderTest, WhatStandsIsFoundAndHalfAJobIsNot) {
    const FolderOfTest at;
    const auto job = tests::sample_job();
    {
        auto folder = opened(at);
        ASSERT_TRUE(folder.write(7, jobs::job_text(job)));
        ASSERT_TRUE(folder.write(8, "{\"job\": 1}"));
        ASSERT_TRUE(folder.write(9, jobs::job_text(job)));
        folder.note_cancelled(9);
        fs::create_directory(at.path + "/jobs/.part-000010");
    }
    const auto folder = opened(at);
    const auto standing = folder.leftover_jobs(tests::version_of_sample);
    ASSERT_EQ(standing.size(), 3U);
    EXPECT_EQ(standing[0].number, 7U);
    ASSERT_EQ(standing[0].match_tasks.size(), job.matches.size());
    EXPECT_EQ(standing[0].match_tasks[0], job.matches[0].games[0].key);
    EXPECT_EQ(standing[0].trouble, "");
    EXPECT_NE(standing[1].trouble, "");
    EXPECT_TRUE(standing[2].is_cancelled);
    EXPECT_TRUE(standing[2].match_tasks.empty()) << "nobody waits for it";
    EXPECT_FALSE(fs::exists(at.path + "/jobs/.part-000010"));
    EXPECT_THAT(folder.leftover_jobs("9.9.9")[0].trouble, HasSubstr("version"));
}

TEST(CoordinatorFolderTest, AFolderToWhichOthersMayWriteIsRefused) {
    const FolderOfTest at;
    fs::permissions(at.path, fs::perms::all);
    EXPECT_THAT(CoordinatorFolder::try_out(at.path + "/friday").error(),
                HasSubstr("everybody may write to " + at.path));
    EXPECT_TRUE(fs::is_empty(at.path)) << "who tries leaves nothing";
    const auto refused = CoordinatorFolder::open(at.path, {"store", "run"});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("everybody may write to"));
    fs::permissions(at.path, fs::perms::owner_all);
    ASSERT_TRUE(CoordinatorFolder::open(at.path, {"store", "run"}));
    // Nobody else reads what a config gives to its bots.
    for (const auto* part : {"/jobs", "/late"})
        EXPECT_EQ(fs::status(at.path + part).permissions(), fs::perms::owner_all);
}

TEST(CoordinatorFolderTest, NumbersBeginBehindThoseOfJobsAndLateResults) {
    const FolderOfTest at;
    EXPECT_EQ(opened(at).first_free(), 1U);
    fs::create_directory(at.path + "/jobs/000500");
    EXPECT_EQ(opened(at).first_free(), 501U);
    std::ofstream(at.path + "/late/000700.ndjson") << "x";
    EXPECT_EQ(opened(at).first_free(), 701U);
}

TEST(CoordinatorFolderTest, LastWordsAreTheEndOfItsLog) {
    const FolderOfTest at;
    auto folder = opened(at);
    ASSERT_TRUE(folder.write(1, "{}\n"));
    EXPECT_EQ(folder.last_words(1), std::nullopt) << "nobody plays it";
    const auto log = folder.folder_of(1) + "/log";
    std::ofstream(log) << "";
    EXPECT_EQ(folder.last_words(1), "");
    std::ofstream(log) << "first\nsecond\x1b[31m\n\n";
    const auto words = folder.last_words(1).value_or("");
    EXPECT_THAT(words, ::testing::StartsWith("second"));
    EXPECT_EQ(words.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace referee::machines
