#include "referee/net/loop/process_resources.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "tests/folder_of_test.h"

namespace referee::loop {
namespace {

TEST(UsableCores, TheLeastThatAnybodySaysCounts) {
    EXPECT_EQ(usable_cores({.bound = 8}), 8U);
    EXPECT_EQ(usable_cores({.bound = 8, .quota = 2.0}), 2U);
    EXPECT_EQ(usable_cores({.bound = 8, .quota = 2.9}), 2U) << "no bot thinks on a part of a core";
    EXPECT_EQ(usable_cores({.bound = 8, .quota = 0.3}), 1U);
    EXPECT_EQ(usable_cores({.bound = 1, .quota = 2.0}), 1U);
    EXPECT_EQ(usable_cores({.bound = 8, .quota = {}, .of_slurm = "3"}), 3U);
    EXPECT_EQ(usable_cores({.bound = 2, .quota = {}, .of_slurm = "3"}), 2U);
    EXPECT_EQ(usable_cores({.bound = 8, .quota = 2.0, .of_slurm = "1"}), 1U);
    EXPECT_EQ(usable_cores({.bound = 0}), 1U);
}

TEST(UsableCores, WhatIsNoNumberOfSlurmsSaysNothing) {
    for (const auto* said : {"", "0", "many", "-1", "3x", " 3"})
        EXPECT_EQ(usable_cores({.bound = 8, .quota = {}, .of_slurm = said}), 8U) << said;
}

TEST(UsableCores, AJobThatIsNotBoundHasWhatSlurmGaveIt) {
    ASSERT_EQ(::setenv("SLURM_CPUS_PER_TASK", "1", 1), 0);
    EXPECT_EQ(usable_cores(), 1U);
    ASSERT_EQ(::unsetenv("SLURM_CPUS_PER_TASK"), 0);
}

struct Groups : tests::FolderOfTest {
    void say(const std::string& group, const std::string& file, const std::string& text) const {
        write(group + "/" + file, text + '\n');
    }
};

TEST(UsableCores, ControlGroupsOfVersionTwo) {
    const Groups groups;
    groups.say("/a/b", "cpu.max", "max 100000");
    EXPECT_EQ(quota_of_groups("0::/a/b\n", groups.path), std::nullopt);
    groups.say("/a/b", "cpu.max", "400000 100000");
    EXPECT_EQ(quota_of_groups("0::/a/b\n", groups.path), 4.0);
    groups.say("/a", "cpu.max", "150000 100000");
    EXPECT_EQ(quota_of_groups("0::/a/b\n", groups.path), 1.5) << "also what is above it";
    groups.say("", "cpu.max", "100000 100000");
    EXPECT_EQ(quota_of_groups("0::/a/b\n", groups.path), 1.0);
    EXPECT_EQ(quota_of_groups("0::/\n", groups.path), 1.0) << "as in a container";
}

TEST(UsableCores, ControlGroupsOfVersionOne) {
    const Groups groups;
    const std::string lines = "5:memory:/x\n4:cpu,cpuacct:/job\n0::/y\n";
    groups.say("/cpu,cpuacct/job", "cpu.cfs_period_us", "50000");
    groups.say("/cpu,cpuacct/job", "cpu.cfs_quota_us", "-1");
    EXPECT_EQ(quota_of_groups(lines, groups.path), std::nullopt);
    groups.say("/cpu,cpuacct/job", "cpu.cfs_quota_us", "100000");
    EXPECT_EQ(quota_of_groups(lines, groups.path), 2.0);
    EXPECT_EQ(quota_of_groups("3:cpuset:/job\n", groups.path), std::nullopt);
}

TEST(UsableCores, WithoutControlGroupsNothingIsBounded) {
    EXPECT_EQ(quota_of_groups("", "/nowhere"), std::nullopt);
    EXPECT_EQ(quota_of_groups("nonsense\n0::/a\n", "/nowhere"), std::nullopt);
}

TEST(KeptMemory, WhatGamesFreedIsThereForTheNext) {
    if (mallopt(M_ARENA_TEST, 8) == 0) GTEST_SKIP() << "a sanitizer allocates";
    keep_freed_memory();
    const auto page_faults_of_games = [] {
        const auto page_faults = [] {
            rusage used{};
            getrusage(RUSAGE_SELF, &used);
            return used.ru_minflt;
        };
        const auto before = page_faults();
        std::vector<std::string> replays;
        for (int game = 0; game < 32; ++game) replays.emplace_back(300'000, 'x');  // 2,400 pages
        replays = {};
        return page_faults() - before;
    };
    page_faults_of_games();
    EXPECT_LT(page_faults_of_games(), 200);
}

}  // namespace
}  // namespace referee::loop
