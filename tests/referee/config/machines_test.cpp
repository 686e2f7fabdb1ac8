// "machines": what is read, and mistakes in it.

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "referee/config/config.h"
#include "tests/referee/config/config_reading.h"

namespace referee::config {
namespace {

const std::string before_machines = R"({"bots": [{"name": "a", "launch": ["x"]}, {"name": "b"}],)";
const std::string after_machines = R"(,"tournaments": [{"id": "t", "game": "walls"}]})";

MachinesConfig machines_of(const std::string& text) {
    const auto config = good(before_machines + "\"machines\": " + text + after_machines);
    return config.machines.value_or(MachinesConfig{});
}

TEST(MachinesConfig, ACluster) {
    const auto least = machines_of(R"({"kind": "slurm", "folder": "/shared/x"})");
    EXPECT_EQ(least.kind, MachinesKind::slurm);
    EXPECT_EQ(least.folder, "/shared/x");
    EXPECT_EQ(least.slurm, SlurmConfig{});
    EXPECT_EQ(least.time_max, Duration::zero());
    const auto all = machines_of(
        R"({"kind": "slurm", "folder": "/shared/x", "jobs_at_once": 500, "cores": 4, "partition": "batch", "account": "course",
            "qos": "short", "arguments": ["--mem=4G", "--nodelist=n1"], "commands": "/opt/slurm/bin", "time_max": "30m"})");
    EXPECT_EQ(all.time_max, std::chrono::minutes(30));
    EXPECT_EQ(all.jobs_at_once, 500U);
    EXPECT_EQ(all.cores, 4U);
    EXPECT_EQ(
        all.slurm,
        (SlurmConfig{"batch", "course", "short", {"--mem=4G", "--nodelist=n1"}, "/opt/slurm/bin"}));
}

TEST(MachinesConfig, LocalAreNoneWhateverElseStandsThere) {
    const auto* local = R"("machines": {"kind": "local", "folder": 5, "submit": "./submit"})";
    EXPECT_FALSE(good(before_machines + local + after_machines).machines);
    const auto* pseudonyms =
        R"("names": "pseudonyms", "machines": {"kind": "slurm", "folder": "/x"})";
    EXPECT_EQ(good(before_machines + pseudonyms + after_machines).warnings.front(),
              "\"machines\": all matches are played here, as bots are told pseudonyms (\"names\"), "
              "which other machines don't know");
}

TEST(MachinesConfig, Mistakes) {
    check(before_machines, R"rows(
        "machines": {"folder": "/x"} -> kind: "command" or "slurm"
        "machines": {"kind": "slurm"} -> folder: expected a folder on a file system
        "machines": {"kind": "slurm", "folder": "/x", "time_max": "0s"} -> time_max: such as "30m"
        "machines": {"kind": "slurm", "folder": "/x", "submit": "./s"} -> submit: no such member
        "machines": {"kind": "slurm", "folder": ""} -> folder: expected a folder on a file system
        "machines": {"kind": "command", "folder": "/x", "submit": "", "list": "./l",               
            "cancel": "./c"} -> submit: "./submit"
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--mem=4G", "-x"]}
            -> arguments[1]: such as "--mem=4G"
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--wai"]}
            -> arguments[0]: --wait is the referee's own
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--"]}
            -> arguments[0]: such as "--mem=4G"
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--export=ALL"]}
            -> arguments[0]: --export is the referee's own
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--time=30"]}
            -> arguments[0]: --time follows from the games' budgets; expected "time_max"
        "machines": {"kind": "slurm", "folder": "/x", "arguments": ["--time-min=30"]}
            -> arguments[0]: --time-min follows from the games' budgets
    )rows",
          after_machines, "machines.");
}

}  // namespace
}  // namespace referee::config
