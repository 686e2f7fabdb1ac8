// Limits of control groups of both versions, on a tree of plain files: few machines have both.

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "referee/launch/process/run_group.h"
#include "tests/folder_of_test.h"
#include "tests/referee/launch/process/launcher_fixture.h"

namespace referee::process {
namespace {

namespace fs = std::filesystem;

class GroupLimitsTest : public ::testing::Test {
 protected:
    void write(const std::string& name, const std::string& text) { made_.write(name, text); }
    std::string read(const std::string& name) { return made_.read(name); }
    GroupPlace place() {
        GroupPlace place;
        place.usage = place.pids = place.memory = folder_;
        return place;
    }

    const tests::FolderOfTest made_;
    const fs::path folder_{made_.path};
};

TEST_F(GroupLimitsTest, version_1_limits_memory_and_swap) {
    write("memory.limit_in_bytes", "9223372036854771712\n");
    write("memory.memsw.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(limit_group_memory(place(), 64 << 20), 0);
    EXPECT_EQ(read("memory.limit_in_bytes").substr(0, 8), "67108864");
    EXPECT_EQ(read("memory.memsw.limit_in_bytes").substr(0, 8), "67108864");
}

TEST_F(GroupLimitsTest, version_2_limits_memory_without_swap_and_kills_all_together) {
    write("memory.max", "max\n");
    write("memory.swap.max", "max\n");
    write("memory.oom.group", "0\n");
    EXPECT_EQ(limit_group_memory(place(), 64 << 20), 0);
    EXPECT_EQ(read("memory.max").substr(0, 8), "67108864");
    EXPECT_EQ(read("memory.swap.max").substr(0, 1), "0");
    EXPECT_EQ(read("memory.oom.group").substr(0, 1), "1");
}

TEST_F(GroupLimitsTest, missing_file_of_the_limit_is_an_error) {
    EXPECT_EQ(limit_group_memory(place(), 64 << 20), ENOENT);
    write("memory.max", "max\n");
    EXPECT_EQ(limit_group_memory(place(), 64 << 20), 0) << "without swap there are no other files";
}

TEST_F(GroupLimitsTest, want_of_processes_is_seen) {
    auto limited = place();
    EXPECT_FALSE(group_ran_out_of_processes(limited));
    limited.pids = limited.memory;
    EXPECT_FALSE(group_ran_out_of_processes(limited));
    write("pids.events", "max 0\n");
    EXPECT_FALSE(group_ran_out_of_processes(limited));
    write("pids.events", "max 7\n");
    EXPECT_TRUE(group_ran_out_of_processes(limited));
}

TEST_F(GroupLimitsTest, want_of_memory_is_seen_in_both_versions) {
    EXPECT_FALSE(group_ran_out_of_memory(place()));
    write("memory.events", "low 0\nhigh 0\nmax 31\noom 1\noom_kill 0\n");
    EXPECT_FALSE(group_ran_out_of_memory(place()));
    write("memory.events", "low 0\nhigh 0\nmax 31\noom 1\noom_kill 1\n");
    EXPECT_TRUE(group_ran_out_of_memory(place()));
    write("memory.events", "");
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    EXPECT_TRUE(group_ran_out_of_memory(place()));
}

TEST_F(GroupLimitsTest, controllers_are_handed_on_where_the_group_is_ours_alone) {
    write("cgroup.controllers", "cpu memory pids\n");
    write("cgroup.subtree_control", "");
    write("cgroup.procs", std::to_string(::getpid()) + "\n");
    fs::create_directories(folder_ / "referee-itself");
    write("referee-itself/cgroup.procs", "");
    hand_on_controllers(place());
    EXPECT_EQ(read("referee-itself/cgroup.procs"), std::to_string(::getpid()));
    // Each write replaces the last in a plain file.
    EXPECT_EQ(read("cgroup.subtree_control"), "+memory");
}

TEST_F(GroupLimitsTest, a_group_with_other_programs_is_left_alone) {
    write("cgroup.controllers", "cpu memory pids\n");
    write("cgroup.subtree_control", "");
    write("cgroup.procs", std::to_string(::getpid()) + "\n1\n");
    hand_on_controllers(place());
    EXPECT_FALSE(fs::exists(folder_ / "referee-itself"));
    EXPECT_EQ(read("cgroup.subtree_control"), "");
}

TEST_F(GroupLimitsTest, controllers_that_are_not_there_are_not_asked_for) {
    write("cgroup.controllers", "cpu\n");
    write("cgroup.subtree_control", "");
    write("cgroup.procs", "");
    hand_on_controllers(place());
    EXPECT_EQ(read("cgroup.subtree_control"), "");
}

}  // namespace
}  // namespace referee::process
