#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/coordinator.h"
#include "tests/folder_of_test.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"
#include "tests/sim/world.h"

namespace tests::sim {

// How a job is played.
struct JobByLot {
    bool damaged = false;
    // What it says of the time that a match took.
    std::chrono::milliseconds a_match = std::chrono::seconds(1);
    std::int64_t used_us = 0;  // the same of each bot of each game
    std::string machine = "node1";
};

// A batch system whose jobs end as hand_executor.h has it, and leave real files. Its
// jobs may die, come late, be played twice or be left out of a list; its calls may fail, after they
// have done all, half or nothing of what they were asked for. It outlives coordinators.
class SimulatedMachines final : public referee::machines::BatchSystem {
 public:
    struct Manners {
        unsigned die_percent = 0;       // of jobs: no result comes
        unsigned zombie_percent = 0;    // of those: it comes nevertheless, late
        unsigned damage_percent = 0;    // of results: a byte is changed
        unsigned fail_percent = 0;      // of calls
        unsigned overlook_percent = 0;  // of jobs in a list
        unsigned lie_percent = 0;       // of results: the times that they tell are any numbers
    };
    SimulatedMachines(Random lots, Manners manners) : lots_(lots), manners_(manners) {}

    // In this world they play the jobs of this folder from now on; what is played goes on there.
    void go_to(World& world, const std::string& folder);

    Answer<void> submit(const std::vector<std::uint64_t>& jobs,
                        const referee::machines::BatchNeeds& needs) override;
    Answer<std::vector<referee::machines::SeenJob>> list() override;
    Answer<void> cancel(const std::vector<std::uint64_t>& unwanted) override;
    Answer<std::string> check(const referee::machines::BatchNeeds& /*needs*/) override {
        return std::string();
    }

    std::map<std::uint64_t, std::string> playing;  // folders, by number
    std::set<std::uint64_t> numbers;               // of all jobs that ever were
    std::size_t submissions = 0;                   // of jobs
    std::chrono::seconds longest{0};               // that a submission asked for
    std::size_t most_at_once = 0;                  // jobs
    std::size_t lists = 0;
    std::size_t cancelled = 0;
    bool down = false;         // every call fails
    bool refuses = false;      // every submission fails, and will tomorrow
    bool believes_on = false;  // what has ended stays in its lists until it is cancelled
    bool swallows = false;     // every submission is answered well, and nothing comes of it
    // What begins dies at once, and stays in its lists until it is cancelled; its run's file stays.
    bool forgets = false;
    bool never_starts = false;  // what it forgot hasn't even left its run's file
    bool lives = false;         // what it forgot plays all the same, and shows that
    bool held = false;          // what has begun was suspended
    std::string bad;            // this machine loses all its jobs
    // Where it isn't empty, no job begins, for what it says.
    std::string stuck;

 private:
    void begin(std::uint64_t number);
    bool fails_on_bad(std::uint64_t number, const std::string& folder);
    void end(std::uint64_t number, const std::string& folder, const std::string& job, bool dies);
    JobByLot lot();
    void show_lives();
    bool fails() { return down || lots_.chance(manners_.fail_percent); }

    Random lots_;
    Manners manners_;
    World* world_ = nullptr;
    std::string folder_;
    std::size_t worlds_ = 0;
    int lives_shown_ = 0;
};

// The names of so many bots.
std::vector<std::string> class_of(std::size_t bots);

// How machines of a bad week behave.
inline constexpr SimulatedMachines::Manners bad_manners{20, 50, 5, 10, 20, 10};

// A hall where everybody plays everybody to two games won of three, and all matches are played by
// jobs in a folder.
struct School {
    School(std::string folder, std::vector<std::string> names, SimulatedMachines& machines,
           std::size_t jobs_at_once = 3);
    // The scheduler goes first, and the hall's world last.
    ~School() {
        hall.scheduler.reset();
        coordinator.reset();
    }
    School(const School&) = delete;
    School& operator=(const School&) = delete;

    // Begins, and lets time pass.
    void start(referee::Duration time);
    // All that is missing of a tournament, and nothing is missing then.
    void play_on();
    void close();
    // As where its config was read again.
    void reload(const std::string& time_max, std::size_t jobs_at_once);

    std::string folder;
    std::vector<std::string> names;
    std::vector<std::string> told;
    std::unique_ptr<referee::machines::Coordinator> coordinator;
    SchedulerFixture hall;
};

class CoordinatorTest : public ::testing::Test {
 protected:
    explicit CoordinatorTest(const SimulatedMachines::Manners& manners = {})
        : machines(Random(1), manners) {}
    // A tournament of so many bots begins, and time passes.
    School& begin(std::size_t bots, referee::Duration time, std::size_t jobs_at_once = 3) {
        begun.emplace(folder.path, class_of(bots), machines, jobs_at_once).start(time);
        return *begun;
    }

    const FolderOfTest folder;
    SimulatedMachines machines;
    std::optional<School> begun;
};

}  // namespace tests::sim
