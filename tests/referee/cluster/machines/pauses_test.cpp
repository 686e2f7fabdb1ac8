#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "tests/referee/cluster/machines/folder_of_test.h"
#include "tests/referee/cluster/machines/school.h"
#include "tests/referee/cluster/machines/simulated_machines.h"

namespace tests::sim {
namespace {

using referee::scheduler::Executor;
using referee::scheduler::MatchTask;

// A scheduler that gives one match after the other.
class OneByOne final : public Executor::Client {
 public:
    explicit OneByOne(Executor& executor) : executor_(executor) { executor_.serve(this); }
    ~OneByOne() override { executor_.serve(nullptr); }
    OneByOne(const OneByOne&) = delete;
    OneByOne& operator=(const OneByOne&) = delete;
    OneByOne(OneByOne&&) = delete;
    OneByOne& operator=(OneByOne&&) = delete;

    Executor::Verdict bring(const referee::GameKey& errand,
                            std::vector<referee::records::GameRecord> /*games*/) override {
        brought.push_back(errand);
        return Executor::Verdict::taken;
    }
    void lose(const referee::GameKey& /*errand*/, const std::string& /*reason*/) override {}
    void look() override { told_of_room = executor_.room() > 0; }

    std::vector<referee::GameKey> brought;
    bool told_of_room = false;

 private:
    Executor& executor_;
};

MatchTask errand_of(const School& school, std::uint64_t match) {
    MatchTask errand;
    MatchTask::Game game;
    game.plan.key = {"t", match, 1, 1};
    game.plan.games_max = 3;
    game.bots = {school.names[0], school.names[1]};
    errand.games.push_back(std::move(game));
    return errand;
}

// What is over, and listed all the same, is cancelled; and that fails just when the last result is
// here, so nothing else is left to look after. The result is put down so many looks behind the
// first of the two lists. Whether it came to that.
bool fails_behind_the_last_result(int moment) {
    const FolderOfTest folder;
    SimulatedMachines machines(Random(1), {});
    machines.believes_on = true;
    School school(folder.path, class_of(4), machines, 1);
    OneByOne client(*school.coordinator);
    const auto pass_until = [&school](const auto& condition) {
        for (int i = 0; i < 60'000 && !condition(); ++i) school.hall.room.pass(10ms);
        EXPECT_TRUE(condition());
    };
    const auto record_when_brought = [&](std::size_t number) {
        pass_until([&] { return client.brought.size() == number; });
        school.coordinator->recorded(client.brought.back());
    };
    school.coordinator->play(errand_of(school, 1));
    record_when_brought(1);
    school.coordinator->play(errand_of(school, 2));
    pass_until([&] { return machines.playing.size() == 2; });
    const auto lists = machines.lists;
    pass_until([&] { return machines.lists > lists; });
    for (int i = 0; i < moment && machines.lists == lists + 1; ++i) school.hall.room.pass(100ms);
    play_job_by_lot(machines.playing.rbegin()->second, {});
    pass_until([&] { return machines.lists > lists + 1 || client.brought.size() == 2; });
    if (machines.lists == lists + 1) return false;
    machines.down = true;
    record_when_brought(2);
    pass_until([&] { return std::filesystem::is_empty(folder.path + "/jobs"); });
    school.hall.room.pass(1s);
    const bool pauses = school.coordinator->room() == 0;
    client.told_of_room = false;
    machines.down = false;
    school.hall.room.pass(60s);
    EXPECT_TRUE(client.told_of_room || !pauses) << "moment " << moment;
    return pauses;
}

TEST(Pauses, WhoWaitsForRoomIsToldWhenOneIsOverThoughNothingIsOut) {
    int found = 0;
    for (int moment = 0; moment < 100; ++moment)
        found += fails_behind_the_last_result(moment) ? 1 : 0;
    EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace tests::sim
