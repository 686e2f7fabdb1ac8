#include "referee/cluster/machines/slurm_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::machines {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(SlurmPartition, TimeLimitsAsSlurmPrintsThem) {
    EXPECT_EQ(slurm_time_limit("2:00"), 2min);
    EXPECT_EQ(slurm_time_limit("30:00"), 30min);
    EXPECT_EQ(slurm_time_limit("1:30:00"), 90min);
    EXPECT_EQ(slurm_time_limit("2-12:00:00"), 60h);
    for (const auto* none :
         {"infinite", "n/a", "", "30", "1:2:3:4", "-1:00", "1-", "x:00", "a-1:00"})
        EXPECT_EQ(slurm_time_limit(none), std::nullopt) << none;
}

// As sinfo of Slurm 22.05 prints them.
constexpr const char* printed =
    "main*|up|infinite|1\n"
    "asleep|down|infinite|1\n"
    "short|up|2:00|1\n"
    "empty|up|infinite|0\n";

TEST(SlurmPartition, WhatLetsAJobWaitForEverIsTold) {
    EXPECT_EQ(partition_lack("main*|up|infinite|1\n", true, 90min), "");
    EXPECT_EQ(partition_lack("short|up|2:00|1\n", true, 2min), "");
    EXPECT_THAT(partition_lack("short|up|2:00|1\n", true, 3min),
                HasSubstr("the partition \"short\" ends jobs after 2 minutes, and one with a match "
                          "alone asks for 3; expected a partition with a higher time limit"));
    EXPECT_THAT(partition_lack("asleep|down|infinite|1\n", true, 3min),
                HasSubstr("\"asleep\" is down"));
    EXPECT_THAT(partition_lack("empty|up|infinite|0\n", true, 3min),
                HasSubstr("\"empty\" has no node; expected one with nodes"));
}

TEST(SlurmPartition, OfSeveralOneIsEnough) {
    EXPECT_EQ(partition_lack("short|up|2:00|1\nlong|up|2:00:00|4\n", true, 3min), "");
    EXPECT_THAT(partition_lack("short|up|2:00|1\nempty|up|infinite|0\n", true, 3min),
                HasSubstr("\"short\""));
}

TEST(SlurmPartition, WithoutANameTheDefaultCounts) {
    EXPECT_EQ(partition_lack(printed, false, 90min), "");
    EXPECT_THAT(partition_lack("long|up|infinite|3\nshort*|up|2:00|1\n", false, 3min),
                HasSubstr("the partition \"short\" ends"));
}

TEST(SlurmPartition, WhatSinfoDoesntKnowIsForSbatchToTell) {
    EXPECT_EQ(partition_lack("", true, 90min), "");
    EXPECT_EQ(partition_lack("something new\n", true, 90min), "");
}

}  // namespace
}  // namespace referee::machines
