#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "referee/cluster/jobs/job_folder.h"
#include "tests/referee/cluster/machines/folder_of_test.h"
#include "tests/referee/cluster/machines/school.h"
#include "tests/referee/cluster/machines/simulated_machines.h"

namespace tests::sim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t matches_of_four = 6;
constexpr std::chrono::seconds an_hour{3600};

// Machines that say of all jobs that they are played, whatever became of them.
class Lives : public ::testing::Test {
 protected:
    Lives() { machines.forgets = true; }
    void pass(std::chrono::seconds time) {
        for (auto s = time; s.count() > 0; --s) school.hall.room.pass(1s);
    }
    void pass_to_the_end() {
        machines.forgets = false;
        for (int i = 0; i < 20'000 && !school.hall.ending; ++i) school.hall.room.pass(1s);
        ASSERT_TRUE(school.hall.ending);
        expect_whole(school.hall.journal.committed(), matches_of_four);
        EXPECT_THAT(school.told, Contains(HasSubstr(" shows no life any more, though it is said to "
                                                    "be played on node1; it is cancelled, and its "
                                                    "matches are played anew")));
        EXPECT_GT(machines.cancelled, 0U);
    }

    const FolderOfTest folder;
    SimulatedMachines machines{Random(1), {}};
    School school{folder.path, class_of(4), machines};
};

TEST(ResultPlace, ShowsThatItsRunGoesOnUntilItEnds) {
    using referee::jobs::last_life;
    const FolderOfTest folder;
    std::ofstream(folder.path + "/result.ndjson") << "another run's";
    EXPECT_EQ(last_life(folder.path), std::nullopt);
    {
        const auto place = referee::jobs::ResultPlace::open(folder.path);
        ASSERT_TRUE(place);
        for (const auto& entry : std::filesystem::directory_iterator(folder.path))
            std::filesystem::last_write_time(entry, std::filesystem::file_time_type{});
        const auto before = last_life(folder.path);
        ASSERT_TRUE(before);
        place->show_life();
        EXPECT_NE(last_life(folder.path), before);
    }
    EXPECT_EQ(last_life(folder.path), std::nullopt);
}

TEST_F(Lives, AJobThatShowsNoneIsCancelledAndItsMatchesArePlayedAnew) {
    school.hall.start(school.names);
    pass(std::chrono::minutes(4));
    EXPECT_THAT(school.told, IsEmpty()) << "it may have been late";
    pass(std::chrono::minutes(3));
    EXPECT_THAT(school.told, Contains(HasSubstr(" shows no life any more")))
        << "who is in doubt asks more often";
    pass_to_the_end();
}

// As where a node's daemon is killed between a job's start and its first command.
TEST_F(Lives, AJobThatNeverShowedAnyIsCancelledAndItsMatchesArePlayedAnew) {
    machines.never_starts = true;
    school.hall.start(school.names);
    pass(std::chrono::minutes(4));
    EXPECT_THAT(school.told, IsEmpty()) << "a machine may be slow to begin";
    pass_to_the_end();
}

TEST_F(Lives, AJobThatShowsItsLifeIsWaitedFor) {
    machines.lives = true;
    school.hall.start(school.names);
    pass(an_hour);
    EXPECT_THAT(school.told, IsEmpty());
    EXPECT_EQ(machines.cancelled, 0U);
    machines.lives = false;
    pass_to_the_end();
}

TEST_F(Lives, AJobThatWasSuspendedIsWaitedFor) {
    machines.held = true;
    school.hall.start(school.names);
    pass(an_hour);
    EXPECT_THAT(school.told, IsEmpty());
    machines.held = false;
    pass_to_the_end();
}

// Some are lost before they begin, some behind it, some not at all, and coordinators come and go.
TEST(LivesAndDeaths, WhateverANodeLosesTheTournamentGoesOn) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const FolderOfTest folder;
        SimulatedMachines machines(Random(seed), {});
        Random lots(seed);
        std::vector<referee::records::Record> records;
        const auto names = class_of(6);
        bool over = false;
        for (int life = 1; !over; ++life) {
            School school(folder.path, names, machines, 4);
            school.hall.past = records;
            school.hall.start(names);
            const bool is_last = life == 4;
            for (auto s = is_last ? 3'600 : lots.between(1, 30); s > 0 && !over; --s) {
                machines.forgets = !is_last && lots.chance(60);
                machines.never_starts = lots.chance(50);
                school.hall.room.pass(1s);
                over = school.hall.ending.has_value();
            }
            const auto& more = school.hall.journal.committed();
            records.insert(records.end(), more.begin(), more.end());
            ASSERT_TRUE(over || !is_last)
                << "seed " << seed << ": " << ::testing::PrintToString(school.told)
                << ::testing::PrintToString(school.hall.waits()) << machines.playing.size();
        }
        expect_whole(records, 15);
    }
}

}  // namespace
}  // namespace tests::sim
