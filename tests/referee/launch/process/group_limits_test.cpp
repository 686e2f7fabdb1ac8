// Limits of control groups of both versions, on a tree of plain files: few machines have both.

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

TEST_F(GroupLimitsTest, memory_is_limited_with_swap_and_in_version_2_all_are_killed_together) {
    using Files = std::vector<std::pair<std::string, std::string>>;  // what begins a file then
    for (const auto& files :
         {Files{{"memory.limit_in_bytes", "67108864"}, {"memory.memsw.limit_in_bytes", "67108864"}},
          Files{{"memory.max", "67108864"}, {"memory.swap.max", "0"}, {"memory.oom.group", "1"}}}) {
        for (const auto& [file, limit] : files) write(file, "max\n");
        EXPECT_EQ(limit_group_memory(place(), 64 << 20), 0);
        for (const auto& [file, limit] : files) EXPECT_TRUE(read(file).starts_with(limit)) << file;
        for (const auto& [file, limit] : files) fs::remove(folder_ / file);
    }
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

TEST_F(GroupLimitsTest, whose_memory_ran_out_is_seen_in_both_versions) {
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::nobody);
    write("memory.events", "low 0\nhigh 0\nmax 31\noom 1\noom_kill 0\n");
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::nobody);
    write("memory.events", "low 0\nhigh 0\nmax 31\noom 1\noom_kill 1\n");
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::group);
    write("memory.events", "low 0\nhigh 0\nmax 31\noom 0\noom_kill 1\n");
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::machine);
    fs::remove(folder_ / "memory.events");
    write("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
    write("memory.limit_in_bytes", "33554432\n");
    write("memory.max_usage_in_bytes", "20000000\n");
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::machine);
    write("memory.max_usage_in_bytes", "33550336\n");
    EXPECT_EQ(out_of_memory(place()), OutOfMemory::group);
}

TEST_F(GroupLimitsTest, controllers_that_are_there_are_handed_on_where_the_group_is_ours_alone) {
    const auto own = std::to_string(::getpid());
    struct Row {
        std::string controllers, processes, moved, handed_on;
    };
    for (const auto& [controllers, processes, moved, handed_on] : std::vector<Row>{
             {"cpu memory pids\n", own + "\n1\n", "", ""},  // another program is there
             {"cpu\n", "", "", ""},
             {"cpu memory pids\n", own + "\n", own, "+memory"},  // each write replaces the last
         }) {
        write("cgroup.controllers", controllers);
        write("cgroup.subtree_control", "");
        write("cgroup.procs", processes);
        if (!moved.empty()) write("referee-itself/cgroup.procs", "");
        hand_on_controllers(place());
        EXPECT_EQ(fs::exists(folder_ / "referee-itself"), !moved.empty()) << processes;
        EXPECT_EQ(read("referee-itself/cgroup.procs"), moved);  // nothing where it isn't there
        EXPECT_EQ(read("cgroup.subtree_control"), handed_on) << controllers << processes;
    }
}

}  // namespace
}  // namespace referee::process
