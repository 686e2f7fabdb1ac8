#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "referee/cluster/machines/coordinator.h"
#include "tests/referee/cluster/machines/simulated_machines.h"
#include "tests/referee/tournament/scheduler/scheduler_fixture.h"

namespace tests::sim {

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
    School(School&&) = delete;
    School& operator=(School&&) = delete;

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

}  // namespace tests::sim
