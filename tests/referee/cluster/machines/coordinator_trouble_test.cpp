#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "referee/cluster/jobs/job_folder.h"
#include "referee/contest/standings/standings.h"
#include "tests/referee/cluster/machines/simulated_machines.h"
#include "tests/referee/tournament/scheduler/hand_executor.h"

namespace tests::sim {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::chrono::seconds an_hour{3600};

// Machines that say of all jobs that they are played, whatever became of them.
class Lives : public CoordinatorTest {
 protected:
    Lives() { machines.forgets = true; }
    void pass_to_the_end() {
        machines.forgets = false;
        begun->play_on();
        EXPECT_THAT(begun->told, Contains(HasSubstr(" shows no life any more, though it is said to "
                                                    "be played on node1; it is cancelled, and its "
                                                    "matches are played anew")));
        EXPECT_GT(machines.cancelled, 0U);
    }
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
        (*place)->show_life();
        EXPECT_NE(last_life(folder.path), before);
    }
    EXPECT_EQ(last_life(folder.path), std::nullopt);
}

TEST(ResultPlace, ClocksThatAreHoursOffAreTold) {
    const FolderOfTest folder;
    const auto opened = referee::jobs::ResultPlace::open(folder.path);
    ASSERT_TRUE(opened);
    const auto& place = *opened;
    constexpr std::int64_t two_hours = 7'200'000;
    const std::int64_t now = *referee::jobs::last_life(folder.path) / 1'000'000;
    EXPECT_TRUE(place->check_clocks(now, now));
    EXPECT_TRUE(place->check_clocks(now, now - 100 * two_hours)) << "a job may wait for days";
    EXPECT_THAT(place->check_clocks(now + two_hours, now).error().message,
                HasSubstr("this machine's clock is 120 minutes ahead of that of " + folder.path +
                          "; set it by NTP"));
    EXPECT_THAT(place->check_clocks(now - two_hours, now - two_hours).error().message,
                HasSubstr("this machine's clock is 120 minutes behind that of"));
    EXPECT_THAT(place->check_clocks(now, now + two_hours).error().message,
                HasSubstr("the job was written 120 minutes in the future"));
}

TEST_F(Lives, AJobThatShowsNoneIsCancelledAndItsMatchesArePlayedAnew) {
    auto& school = begin(4, 240s);
    EXPECT_THAT(school.told, IsEmpty()) << "it may have been late";
    school.hall.room.pass(180s);
    EXPECT_THAT(school.told, Contains(HasSubstr(" shows no life any more")))
        << "who is in doubt asks more often";
    pass_to_the_end();
}

// As where a node's daemon is killed between a job's start and its first command.
TEST_F(Lives, AJobThatNeverShowedAnyIsCancelledAndItsMatchesArePlayedAnew) {
    machines.never_starts = true;
    auto& school = begin(4, 240s);
    EXPECT_THAT(school.told, IsEmpty()) << "a machine may be slow to begin";
    pass_to_the_end();
}

TEST_F(Lives, AJobThatShowsItsLifeOrWasSuspendedIsWaitedFor) {
    auto& school = begin(4, 0s);
    for (auto* waits : {&machines.lives, &machines.held}) {
        *waits = true;
        school.hall.room.pass(an_hour);
        EXPECT_THAT(school.told, IsEmpty());
        EXPECT_EQ(machines.cancelled, 0U);
        *waits = false;
    }
    pass_to_the_end();
}

using referee::records::Record;

// What is to be tried, from the environment: scripts/simulate says how.
std::size_t number_of(const char* name, std::size_t usually) {
    const char* text = std::getenv(name);
    return text == nullptr ? usually : std::strtoul(text, nullptr, 10);
}

constexpr unsigned forgotten_percent = 40;

namespace standings = referee::standings;

// Of each bot its rank, and its row.
std::string standings_in(const SchedulerFixture& hall) {
    const auto bots = hall.config.bots.size();
    const auto [table, ranking] =
        standings::standings_of({std::vector<std::int32_t>(bots), {}, {}, 0},
                                hall.contest().results.copied(), {}, hall.config.tie_breaks);
    std::string text;
    for (std::size_t bot = 0; bot < bots; ++bot) {
        text += std::to_string(ranking.rank[bot]);
        for (const auto& column : ranking.columns)
            text += " " + standings::text_of(column.cells[bot]);
        text += '\n';
    }
    return text;
}

// All of it without jobs, folders or deaths.
std::string standings_without_trouble(const std::vector<std::string>& names) {
    HandExecutor machines(names.size());
    SchedulerFixture hall;
    hall.executor = &machines;
    hall.launched = {names.begin(), names.end()};
    hall.config.match.games = 3;
    hall.config.match.best_of = true;
    hall.start(names);
    while (!hall.ending) {
        const auto out = machines.held;
        for (const auto& [key, task] : out) machines.bring(task);
        hall.room.pass(10ms);
    }
    return standings_in(hall);
}

// A tournament, by coordinators that are killed behind some commit: the next one finds the folder
// as it is. Each match counts once, and the standings are those of one machine.
struct InManyLives {
    // `forgetful`: nodes lose jobs too, some before they begin and some behind it.
    InManyLives(std::size_t bots, std::size_t jobs_at_once, std::uint64_t seed,
                std::size_t commits_most, bool forgetful = false) {
        const auto names = class_of(bots);
        const FolderOfTest folder;
        SimulatedMachines machines(Random(seed), bad_manners);
        Random lots(seed);
        std::vector<Record> records;  // so many that they are not copied
        std::string standings;
        for (bool over = false; !over && lives < 2'000;) {
            ++lives;
            School school(folder.path, names, machines, jobs_at_once);
            school.hall.past = std::move(records);
            bool off = false;
            school.hall.journal.power_off_behind(1 + lots.below(commits_most),
                                                 [&off] { off = true; });
            school.hall.start(names);
            taken_up += school.coordinator->standing().jobs;
            while (!school.hall.ending && !off) {
                machines.forgets = forgetful && lots.chance(forgotten_percent);
                machines.never_starts = lots.chance(50);
                school.hall.room.pass(forgetful ? referee::Duration(1s) : 50ms);
            }
            over = school.hall.ending.has_value();
            if (over) standings = standings_in(school.hall);
            records = std::move(school.hall.past);
            const auto& more = school.hall.journal.committed();
            records.insert(records.end(), more.begin(), more.end());
        }
        expect_whole(std::exchange(records, {}), bots * (bots - 1) / 2);
        EXPECT_EQ(standings, standings_without_trouble(names));
        submissions = machines.submissions;
        most_at_once = machines.most_at_once;
        late = !std::filesystem::is_empty(folder.path + "/late");
    }

    std::size_t lives = 0;
    std::size_t taken_up = 0;  // jobs that an earlier coordinator had left
    std::size_t submissions = 0;
    std::size_t most_at_once = 0;
    bool late = false;  // some results were
};

TEST(CoordinatorLives, ACoordinatorThatIsKilledAnywhereLosesNothingAndCountsNothingTwice) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const InManyLives played(6, 3, seed, 12, seed > 4);
        EXPECT_GT(played.lives, 5U);
        EXPECT_GT(played.taken_up, 2U);
    }
}

// Many jobs at once, that die, come late, come twice, are damaged and lie about time; commands that
// fail; and a coordinator that is killed again and again.
TEST(ManyJobs, EachMatchCountsOnceAndTheStandingsAreThoseOfOneMachine) {
    const auto bots = number_of("SIM_BOTS", 40);
    const InManyLives played(bots, number_of("SIM_JOBS", 100), number_of("SIM_SEED", 1),
                             2 * number_of("SIM_COMMITS", 1'000));
    EXPECT_GT(played.lives, 1U);
    EXPECT_TRUE(played.late);
    std::printf("%zu matches, %zu jobs submitted, at most %zu at once, %zu coordinators\n",
                bots * (bots - 1) / 2, played.submissions, played.most_at_once, played.lives);
}

}  // namespace

}  // namespace tests::sim
