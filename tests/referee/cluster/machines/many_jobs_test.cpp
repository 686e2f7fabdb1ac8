#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "tests/referee/cluster/machines/folder_of_test.h"
#include "tests/referee/cluster/machines/school.h"
#include "tests/referee/tournament/scheduler/far_machines.h"
#include "tests/referee/tournament/scheduler/points.h"

namespace tests::sim {
namespace {

using referee::records::Record;

// What is to be tried, from the environment: scripts/simulate says how.
std::size_t number_of(const char* name, std::size_t usually) {
    const char* text = std::getenv(name);
    return text == nullptr ? usually : std::strtoul(text, nullptr, 10);
}

// All of it by machines that never fail, without jobs, folders or deaths.
Points points_without_trouble(const std::vector<std::string>& names) {
    FarMachines machines(Random(1), {}, names.size());
    Hall hall;
    hall.executor = &machines;
    hall.launched = {names.begin(), names.end()};
    hall.config.match.games = 3;
    hall.config.match.best_of = true;
    machines.go_to(hall.room.world);
    hall.start(names);
    while (!hall.ending) hall.room.pass(1s);
    return points_after(hall.journal.committed(), hall.config);
}

// Many jobs at once, that die, come late, come twice, are damaged and lie about time; commands that
// fail; and a coordinator that is killed again and again behind any of its commits.
TEST(ManyJobs, EachMatchCountsOnceAndTheStandingsAreThoseOfOneMachine) {
    const auto bots = number_of("SIM_BOTS", 40);
    const auto jobs_at_once = number_of("SIM_JOBS", 100);
    const auto seed = number_of("SIM_SEED", 1);
    const auto commits_of_a_life = number_of("SIM_COMMITS", 1'000);
    const auto names = class_of(bots);
    const FolderOfTest folder;
    SimulatedMachines machines(Random(seed), bad_manners);
    Random lots(seed);
    std::vector<Record> records;
    std::size_t lives = 0;
    Points points;
    for (bool over = false; !over;) {
        School school(folder.path, names, machines, jobs_at_once);
        school.hall.past = records;
        bool off = false;
        school.hall.journal.power_off_behind(1 + lots.below(2 * commits_of_a_life),
                                             [&off] { off = true; });
        ++lives;
        school.hall.start(names);
        while (!school.hall.ending && !off) school.hall.room.pass(50ms);
        over = school.hall.ending.has_value();
        const auto& more = school.hall.journal.committed();
        records.insert(records.end(), more.begin(), more.end());
        if (over) points = points_after(records, school.hall.config);
    }
    expect_whole(records, bots * (bots - 1) / 2);
    EXPECT_TRUE(points == points_without_trouble(names));
    EXPECT_GT(lives, 1U);
    std::printf("%zu matches, %zu jobs submitted, at most %zu at once, %zu coordinators\n",
                bots * (bots - 1) / 2, machines.submissions, machines.most_at_once, lives);
}

}  // namespace
}  // namespace tests::sim
