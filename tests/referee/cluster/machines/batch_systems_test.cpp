#include "referee/cluster/machines/slurm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "tests/folder_of_test.h"

namespace referee::machines {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using tests::FolderOfTest;

std::unique_ptr<BatchSystem> commands(const FolderOfTest& at, const std::string& command,
                                      const std::string& list = {}) {
    config::MachinesConfig config;
    config.submit = config.cancel = command;
    config.list = list.empty() ? command : list;
    config.directory = at.path;
    config.folder = "/a shared";
    return batch_of(config, "a1", "/usr/bin/referee");
}

TEST(CommandsTest, SubmitAndCancelAreGivenFoldersAndWhatTheyNeed) {
    const FolderOfTest at;
    auto tried = commands(at,
                          "printf '%s|' \"$REFEREE\" \"$REFEREE_FOLDER\" \"$REFEREE_CORES\" "
                          "\"$REFEREE_TIME_MAX_S\" >told; printf '<%s>' >>told");
    ASSERT_TRUE(tried->submit({1, 2}, {3, std::chrono::seconds(77)}));
    EXPECT_EQ(at.read("told"),
              "/usr/bin/referee|/a shared|3|77|"
              "</a shared/jobs/000001></a shared/jobs/000002>");
    ASSERT_TRUE(commands(at, "printf '<%s>' >told")->cancel({17}));
    EXPECT_EQ(at.read("told"), "</a shared/jobs/000017>");
}

TEST(CommandsTest, ManyJobsAreSeveralCalls) {
    const FolderOfTest at;
    const std::vector<std::uint64_t> jobs(250, 1);
    ASSERT_TRUE(commands(at, "f() { echo $# >>told; }; f")->submit(jobs, {}));
    EXPECT_EQ(at.read("told"), "100\n100\n50\n");
}

TEST(CommandsTest, ListIsReadLineByLine) {
    const FolderOfTest at;
    const auto seen =
        commands(
            at,
            "printf '000017 running node7 4711\\n18 waiting\\n19 waiting too few nodes \\n\\n' #")
            ->list();
    ASSERT_TRUE(seen) << seen.error().reason;
    std::string told;
    for (const auto& job : *seen)
        told += std::to_string(job.number) + (job.begun ? " begun " : " waits ") + job.machine +
                " " + job.id + job.because + "\n";
    EXPECT_EQ(told, "17 begun node7 4711\n18 waits  \n19 waits  too few nodes\n");
}

TEST(CommandsTest, AListThatIsNoneIsRefusedWithAnExample) {
    const FolderOfTest at;
    for (const auto* line : {"JOBID PARTITION", "17 gone", "17", "x17 running"}) {
        const auto seen = commands(at, "echo '" + std::string(line) + "' #")->list();
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
        const auto listed = commands(at, command)->list();
        ASSERT_FALSE(listed) << command;
        EXPECT_EQ(listed.error().passes, passes) << command;
        EXPECT_THAT(listed.error().reason, HasSubstr(words));
    }
    std::filesystem::remove_all(at.path);
    EXPECT_THAT(commands(at, "true #")->check({}).error().reason,
                HasSubstr("can't be started in " + at.path));
}

TEST(CommandsTest, ACheckTellsOfProgramsThatAreNotThereAndCallsNone) {
    const FolderOfTest at;
    at.write("unable", "");
    for (const auto* command : {"./no-such --quick", "no-such-program", "./unable"}) {
        const auto checked = commands(at, command, "true #")->check({});
        ASSERT_FALSE(checked) << command;
        EXPECT_FALSE(checked.error().passes);
        EXPECT_THAT(checked.error().reason, HasSubstr(" is there that can be executed"));
    }
    for (const auto* command : {"touch called", "f() { touch called; }; f", "NODE=1 ./no-such"})
        EXPECT_TRUE(commands(at, command, "true #")->check({})) << command;
    EXPECT_FALSE(std::filesystem::exists(at.at("called")));
}

// What is read of it, a line for each job.
std::string queue_of(const std::string& printed) {
    const auto seen = read_queue(printed, "referee-a1-");
    if (!seen) return seen.error().passes ? seen.error().reason : "it doesn't pass";
    std::string told;
    for (const auto& job : *seen)
        told += std::to_string(job.number) + " " + job.id + (job.begun ? " begun " : " waits ") +
                (job.held ? "held " : "") + (job.stuck ? "stuck " : "") + job.machine + " " +
                job.because + "\n";
    return told;
}

TEST(SlurmText, AQueueIsReadAsSlurmPrintsIt) {
    const auto told = queue_of(
        "71_2|PENDING|referee-a1-40||Resources\n"
        "71_3|PENDING|referee-a1-40||ReqNodeNotAvail, UnavailableNodes:n1\n"
        "71_4|PENDING|referee-a1-40||JobHeldUser\n"
        "71_0|RUNNING|referee-a1-40|n1|None\n"
        "71_1|COMPLETING|referee-a1-40|n2|None\n"
        "72|RUNNING|another of mine|n2|None\n"
        "73_0|RUNNING|referee-b1-40|n2|None\n"
        "74_0|REQUEUE_HOLD|referee-a1-99|n1|job requeued in held state\n"
        "75_0|TIMEOUT|referee-a1-100|n1|TimeLimit\n"
        "76_0|SUSPENDED|referee-a1-101|n1|None\n");
    EXPECT_EQ(told,
              "42 71_2 waits  Resources\n"
              "43 71_3 waits  ReqNodeNotAvail, UnavailableNodes:n1\n"
              "44 71_4 waits stuck  JobHeldUser: let it go on by `scontrol release`, or `scancel` "
              "it\n"
              "40 71_0 begun n1 \n"
              "41 71_1 begun n2 \n"
              "99 74_0 waits  job requeued in held state\n"
              "101 76_0 begun held n1 \n");
    EXPECT_EQ(queue_of(""), "");
    for (const std::string why :
         {"PartitionTimeLimit", "PartitionConfig", "QOSMaxWallDurationPerJobLimit"})
        EXPECT_THAT(queue_of("71_2|PENDING|referee-a1-40||" + why + "\n"),
                    HasSubstr("stuck  " + why + ": "));
}

TEST(SlurmText, AQueueThatCantBeReadIsNoEmptyOne) {
    for (const auto* text :
         {"slurm is being updated\n", "71_0|RUNNING|referee-a1-40|n1\n",
          "71|RUNNING|referee-a1-40|n1|None\n", "71_0|RUNNING|referee-a1-|n1|None\n",
          "71_x|RUNNING|referee-a1-40|n1|None\n", "71_0|RUNNING|referee-a1-40x|n1|None\n"})
        EXPECT_THAT(queue_of(text), HasSubstr("expected a line such as"));
}

// Commands that stand in for Slurm's.
struct SlurmsCommands : FolderOfTest {
    void script(const std::string& name, const std::string& text) const {
        std::filesystem::permissions(write(name, "#!/bin/sh\ncd " + path + "\n" + text),
                                     std::filesystem::perms::owner_all);
    }
    std::unique_ptr<BatchSystem> slurm() const {
        config::MachinesConfig config;
        config.folder = "/it's/here now";
        config.slurm.commands = path;
        return slurm_of(config, "a1", "/usr/bin/referee");
    }
};

// One job was submitted twice, as an answer was lost.
TEST(SlurmCommands, AllJobsWithANumberAreCancelledAndTheUsersOwnSettingsChangeNothing) {
    const SlurmsCommands folder;
    folder.script("squeue",
                  "env | grep SQUEUE && exit 1\n"
                  "for row in 71_0:a1-40 72_0:a1-40 73_1:a1-40 74_0:b2-40; do\n"
                  "echo \"${row%:*}|RUNNING|referee-${row#*:}|n1|None\"; done\n");
    folder.script("scancel", "echo \"$@\" >>cancelled\n");
    ::setenv("SQUEUE_STATES", "COMPLETED", 1);
    const auto done = folder.slurm()->cancel({40});
    EXPECT_TRUE(done) << done.error().reason;
    EXPECT_EQ(folder.read("cancelled"), "71_0 72_0\n");
}

TEST(SlurmCommands, AnArrayIsSubmittedWithAScriptThatFindsEachJobsFolder) {
    const SlurmsCommands folder;
    folder.script("sbatch", "cat >>script\necho \"$@\" >>submitted\n");
    ASSERT_TRUE(folder.slurm()->submit({219, 17, 19}, {2, 61s}));
    EXPECT_THAT(folder.read("submitted"),
                AllOf(HasSubstr("--job-name=referee-a1-17 --array=0,2 --nodes=1 --ntasks=1 "
                                "--cpus-per-task=2 --time=4 "),
                      HasSubstr("--job-name=referee-a1-219 --array=0 ")));
    EXPECT_THAT(folder.read("script"),
                ::testing::StartsWith(
                    "#!/bin/sh\n"
                    "# Matches of a tournament. The referee takes the shell's place, and so its "
                    "signals.\n"
                    "folder='/it'\\''s/here now/jobs'/$(printf %06d $((17 + "
                    "SLURM_ARRAY_TASK_ID)))\n"
                    "export REFEREE_HOST=\"$SLURMD_NODENAME\"\n"
                    "exec /usr/bin/referee job \"$folder\" >>\"$folder/log\" 2>&1\n"));
}

// As sbatch of Slurm 22.05 says it; the limits' as the accounting database of a cluster has it say.
TEST(SlurmText, TroubleThatPassesIsKeptApart) {
    const std::string limits =
        "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job "
        "submit limit, user's size and/or time limits)\n";
    for (const auto& [passes, said, advice] :
         std::vector<std::tuple<bool, std::string, std::string>>{
             {false,
              "sbatch: error: invalid partition specified: nope\n"
              "sbatch: error: Batch job submission failed: Invalid partition name specified\n",
              "`sinfo` lists"},
             {false, "allocation failure: Requested node configuration is not available\n",
              "fewer \"cores\""},
             {false, "sbatch: unrecognized option '--bla'\n", "\"arguments\""},
             {false, "sbatch: fatal: Could not establish a configuration source\n", "login node"},
             {false, "sbatch: error: QOSMaxWallDurationPerJobLimit\n" + limits,
              "limits of your account"},
             {true, "sbatch: error: QOSMaxSubmitJobPerUserLimit\n" + limits, "jobs_at_once"},
             {true, "allocation failure: Unable to contact slurm controller (connect failure)\n",
              "nothing is lost"},
             {true,
              "squeue: error: Munge encode failed: Failed to connect to \"/run/munge\": Connection "
              "refused\nslurm_load_jobs error: Protocol authentication error\n",
              "munged must run"},
             {true, "something new\n\nin two lines\n",
              "`sbatch` says: something new; in two lines"},
             {true, "allocation failure: Resource temporarily unavailable\n",
              "the cluster's queue is full"}}) {
        const auto trouble = slurm_trouble("sbatch", said);
        EXPECT_THAT(trouble.reason, HasSubstr(advice));
        EXPECT_EQ(trouble.passes, passes) << said;
    }
}

TEST(SlurmText, ACommandThatDoesNotEndIsTold) {
    using Kind = command::CommandTrouble::Kind;
    const auto missing = slurm_trouble("sbatch", {Kind::not_started, "can't be started: x"});
    EXPECT_FALSE(missing.passes);
    EXPECT_THAT(missing.reason, HasSubstr("`sbatch` can't be started: x; expected"));
    EXPECT_EQ(slurm_trouble("sbatch", {Kind::too_slow, "did not end"}).reason,
              "`sbatch` did not end");
    // It tries for two minutes by itself, and is killed before.
    const auto full = slurm_trouble(
        "sbatch",
        {Kind::too_slow, "did not end",
         "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n"});
    EXPECT_TRUE(full.passes);
    EXPECT_THAT(full.reason,
                HasSubstr("`sbatch` did not end; `sbatch` says: sbatch: error: Slurm"));
    EXPECT_THAT(full.reason, HasSubstr("the cluster's queue is full"));
}

// As scontrol of Slurm 22.05 prints them.
TEST(SlurmText, JobsThatAreBoundToNoCoresAreTold) {
    const auto with = [](const std::string& plugin, const std::string& constrains) {
        return binding_lack(
            "TaskEpilog              = (null)\nTaskPlugin              = " + plugin +
            "\nTaskPluginParam         = (null type)\n\nCgroup Support "
            "Configuration:\nConstrainCores          = " +
            constrains + "\nConstrainDevices        = no\n");
    };
    EXPECT_THAT(with("task/none", "yes"), HasSubstr("(TaskPlugin is task/none)"));
    EXPECT_THAT(with("task/cgroup", "no"), HasSubstr("\"arguments\": [\"--exclusive\"]"));
    EXPECT_EQ(with("task/cgroup", "yes"), "");
    EXPECT_EQ(with("task/affinity,task/cgroup", "no"), "");
    EXPECT_EQ(binding_lack("slurm is being updated\n"), "");
}

// As scontrol of Slurm 22.05 prints them, but for what is left out.
TEST(SlurmText, PartitionsInWhichNoJobBeginsAreTold) {
    constexpr const char* printed =
        "PartitionName=main AllowGroups=ALL Default=YES State=DOWN TotalNodes=2 \n"
        "PartitionName=short AllowGroups=ALL Default=NO State=UP TotalNodes=2 \n"
        "PartitionName=old AllowGroups=ALL Default=NO State=INACTIVE TotalNodes=2 \n";
    EXPECT_THAT(partition_lack(printed, ""), HasSubstr("the partition main is DOWN, so no job"));
    EXPECT_EQ(partition_lack(printed, "main"), partition_lack(printed, ""));
    EXPECT_THAT(partition_lack(printed, "main,old"), HasSubstr("the partition old is INACTIVE"));
    for (const auto* good : {"short", "main,short", "none"})
        EXPECT_EQ(partition_lack(printed, good), "") << good;
    EXPECT_EQ(partition_lack("slurm is being updated\n", ""), "");
}

}  // namespace

}  // namespace referee::machines
