#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <variant>
#include <vector>

#include "tests/referee/cluster/machines/simulated_machines.h"

namespace tests::sim {
namespace {

using referee::records::Record;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const auto class_of_six = class_of(6);

std::uint32_t highest_attempt(const std::vector<Record>& records) {
    std::uint32_t highest = 0;
    for (const auto& record : records) {
        if (const auto* game = std::get_if<referee::records::GameRecord>(&record))
            highest = std::max(highest, game->result.key.attempt);
    }
    return highest;
}

// Machines whose results tell any times, so that there are many jobs.
class CoordinatorOfManyJobs : public CoordinatorTest {
 protected:
    CoordinatorOfManyJobs() : CoordinatorTest({.lie_percent = 100}) {}
};

TEST_F(CoordinatorTest, PlaysATournamentInJobsAndLeavesNothing) {
    auto& school = begin(6, 0s);
    school.play_on();
    EXPECT_THAT(school.hall.started, IsEmpty()) << "at no table";
    EXPECT_EQ(machines.submissions, machines.numbers.size());
    EXPECT_LE(machines.most_at_once, 3U);
    EXPECT_LT(machines.submissions, 15U) << "several short matches make a job";
    school.close();
    EXPECT_THAT(folder.names(), Each(::testing::AnyOf("jobs", "late")));
    EXPECT_THAT(folder.names("jobs"), IsEmpty());
    EXPECT_THAT(folder.names("late"), IsEmpty());
    EXPECT_THAT(school.told, IsEmpty());
}

// As where a partition's jobs may not last so long.
TEST_F(CoordinatorTest, JobsThatWaitAndAskForTooMuchAreWrittenAnewAtAReload) {
    auto& school = begin(30, 25s, 4);
    machines.stuck = "PartitionTimeLimit";
    school.hall.room.pass(120s);
    ASSERT_EQ(school.coordinator->standing().because.at("PartitionTimeLimit"), 4U);
    ASSERT_GT(machines.longest, 20min);
    machines.longest = 0s;
    school.reload("20m", 2);
    school.hall.room.pass(5s);
    EXPECT_EQ(machines.cancelled, 4U);
    EXPECT_EQ(school.coordinator->standing().jobs, 2U);
    machines.stuck.clear();
    school.play_on();
    EXPECT_GT(machines.longest, 15min) << "there is more than one match in a job";
    EXPECT_LE(machines.longest, 20min);
}

TEST_F(CoordinatorTest, WaitsWhileNobodyAnswersTellsWhyAndGoesOn) {
    machines.down = true;
    auto& school = begin(6, 600s);
    EXPECT_EQ(machines.submissions, 0U);
    EXPECT_THAT(school.told, ElementsAre(HasSubstr("nobody answers")));
    EXPECT_THAT(school.hall.waits(), Contains(HasSubstr("nobody answers")));
    EXPECT_LT(machines.lists, 40U) << "it asks less and less often";
    machines.down = false;
    school.play_on();
    EXPECT_THAT(school.told.back(), HasSubstr("go on"));
}

TEST_F(CoordinatorTest, AListThatIsAnsweredDoesntEndTheTroubleOfSubmissions) {
    machines.refuses = true;
    auto& school = begin(6, 1800s);
    EXPECT_THAT(school.told, ElementsAre(HasSubstr("no such partition")));
    EXPECT_LT(machines.lists, 40U) << "it asks less and less often";
    machines.refuses = false;
    school.reload("24h", 3);
    school.hall.room.pass(1s);
    EXPECT_GT(machines.submissions, 0U) << "at once";
    school.play_on();
    EXPECT_THAT(school.told, ElementsAre(HasSubstr("no such partition"), HasSubstr("go on")));
}

TEST_F(CoordinatorTest, JobsThatDontBeginAreToldOnceAndThoseThatVanishCostNoAttempt) {
    machines.stuck = "held: release it";
    auto& school = begin(6, 600s, 2);
    EXPECT_THAT(school.told, ElementsAre(HasSubstr("will not begin by itself: held: release it")));
    EXPECT_THAT(school.hall.waits(), Contains(HasSubstr("held: release it")));
    const auto standing = school.coordinator->standing();
    EXPECT_EQ(standing.because.at("held: release it"), standing.jobs);
    ASSERT_EQ(machines.playing.size(), 2U);
    machines.playing.clear();  // as an administrator may who empties the queue
    machines.stuck.clear();
    school.play_on();
    EXPECT_EQ(highest_attempt(school.hall.journal.committed()), 1U);
    EXPECT_EQ(machines.submissions, machines.numbers.size() + 2);
    EXPECT_THAT(school.told,
                Contains(HasSubstr(
                    "it never began, or its machine doesn't see its folder or can't write there; "
                    "mount it at the same path on each; it is submitted again")));
}

// Some matches end at each moment, so that there is always something to submit.
TEST_F(CoordinatorOfManyJobs, AJobThatIsLostIsMissedWhileOthersAreSubmitted) {
    auto& school = begin(60, 10s, 100);
    const auto [number, job] = *machines.playing.begin();
    std::ofstream(job + "/log") << "playing\n";
    machines.playing.erase(number);
    school.hall.room.pass(50s);
    const auto submissions = machines.submissions;
    school.hall.room.pass(10s);
    EXPECT_THAT(school.told, Contains(HasSubstr("is over without a result; it said: playing")));
    EXPECT_GT(machines.submissions, submissions) << "some are still submitted";
}

TEST_F(CoordinatorOfManyJobs, ListsComeMoreAndMoreSeldomWhileNothingIsLost) {
    begin(30, 150s, 20);
    EXPECT_GT(machines.numbers.size(), 100U);
    EXPECT_GT(machines.lists, 4U);
    EXPECT_LT(machines.lists, 12U) << "2 s after the first jobs, and then half as often again";
}

// A match that waits in no job has begun, and is begun anew where the coordinator is killed.
TEST_F(CoordinatorTest, NoMoreMatchesWaitThanTheNextJobsHold) {
    auto& school = begin(60, 0s, 100);
    std::size_t most = 0;
    for (int i = 0; i < 100; ++i) {
        school.hall.room.pass(100ms);
        most = std::max(most, school.coordinator->standing().waiting);
    }
    EXPECT_GT(most, 16U) << "jobs get larger";
    EXPECT_LT(most, 600U) << "of 1,770";
}

TEST(CoordinatorLives, JobsThatAllComeToNothingAreTriedOneByOneAndTold) {
    for (const bool vanish : {true, false}) {
        const FolderOfTest folder;
        SimulatedMachines machines(Random(1), {.die_percent = vanish ? 0U : 100U});
        machines.swallows = vanish;
        School school(folder.path, class_of_six, machines);
        school.start(1800s);
        EXPECT_LT(machines.submissions, 30U);
        EXPECT_THAT(school.hall.waits(), Contains(HasSubstr("jobs ended without a result")));
        if (!vanish) continue;
        machines.swallows = false;
        school.play_on();
        EXPECT_EQ(highest_attempt(school.hall.journal.committed()), 1U) << "they never began";
    }
}

TEST_F(CoordinatorOfManyJobs, AMachineThatLosesItsJobsIsNamedAndStopsNoOther) {
    machines.bad = "node2";
    auto& school = begin(12, 60s, 6);
    EXPECT_THAT(school.told,
                Contains(HasSubstr(" on node2 is over without a result; it said: no interp")));
    school.play_on();
}

TEST_F(CoordinatorTest, WhatCountedBeforeTheRefereeWasKilledIsNotKeptAsLate) {
    namespace fs = std::filesystem;
    const FolderOfTest kept;
    const auto jobs = folder.path + "/jobs";
    std::vector<Record> records;
    {
        School school(folder.path, class_of_six, machines);
        school.start({});
        while (!fs::exists(jobs + "/000001/result.ndjson")) school.hall.room.pass(10ms);
        fs::copy(jobs + "/000001", kept.path + "/000001");
        school.play_on();
        records = school.hall.journal.committed();
    }
    fs::copy(kept.path, jobs, fs::copy_options::recursive);
    School next(folder.path, class_of_six, machines);
    next.hall.past = records;
    next.start({});
    next.close();
    EXPECT_THAT(folder.names("jobs"), IsEmpty());
    EXPECT_THAT(folder.names("late"), IsEmpty());
}

TEST(CoordinatorLives, AnAbortCancelsWhatIsOutAndNobodyWaitsForIt) {
    for (const bool is_killed : {false, true}) {
        const FolderOfTest folder;
        SimulatedMachines machines(Random(1), {});
        machines.stuck = "held: release it";
        School school(folder.path, class_of_six, machines);
        school.hall.stays = true;
        school.start(5s);
        ASSERT_EQ(machines.playing.size(), 3U);
        school.hall.scheduler->orders().abort({"t", "rain"}, school.hall.answered());
        school.hall.room.pass(5s);
        EXPECT_TRUE(machines.playing.empty());
        std::optional<School> next;
        if (is_killed) next.emplace(folder.path, class_of_six, machines);
        auto& waits = is_killed ? *next : school;
        EXPECT_EQ(waits.coordinator->standing().jobs, 0U);
        EXPECT_EQ(folder.names("jobs").size(), 3U) << "a result may come late";
        waits.hall.room.pass(3700s);
        EXPECT_THAT(folder.names("jobs"), IsEmpty());
    }
}

// As a slurmctld may that was restarted.
TEST_F(CoordinatorOfManyJobs, WhatIsOverAndListedAllTheSameIsCancelled) {
    machines.believes_on = true;
    auto& school = begin(12, 0s, 1);
    school.play_on();
    EXPECT_EQ(highest_attempt(school.hall.journal.committed()), 1U);
    ASSERT_GT(machines.numbers.size(), 30U);
    EXPECT_LT(machines.playing.size(), 20U) << "those that were over lately";
    EXPECT_EQ(machines.cancelled + machines.playing.size(), machines.numbers.size());
}

// No job can be written, and then nobody wants one: nothing is out that would be looked after.
TEST_F(CoordinatorTest, WhoWaitsForRoomIsToldWhenTheTroubleIsOverThoughNothingIsOut) {
    School school(folder.path, class_of_six, machines);
    school.hall.stays = true;
    std::filesystem::rename(folder.path + "/jobs", folder.path + "/away");
    school.start(1s);
    EXPECT_THAT(school.told, ElementsAre(HasSubstr("no match is given to other machines for now")));
    school.hall.scheduler->orders().abort({"t", "rain"}, school.hall.answered());
    school.hall.room.pass(1s);
    std::filesystem::rename(folder.path + "/away", folder.path + "/jobs");
    school.hall.scheduler->orders().resume({"t", "sun"}, school.hall.answered());
    EXPECT_EQ(school.coordinator->room(), 0U);
    school.hall.room.pass(20s);
    EXPECT_GT(machines.submissions, 0U);
}

}  // namespace
}  // namespace tests::sim
